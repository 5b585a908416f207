// The parts of the page that show results: replaced as fragments arrive, marked while they are old.

import { all, byId, elementOf, setHtml } from "./dom.js";

/** @typedef {{ design: string, html: string }} Row */

const rows = () => /** @type {HTMLElement} */ (document.querySelector("#designs tbody"));

/** Mark every result as belonging to earlier inputs. */
export function markOld() {
  for (const part of all("[data-part], #designs tbody tr")) part.dataset.old = "";
  byId("results").setAttribute("aria-busy", "true");
}

/** @param {boolean} valid whether what is shown is now the answer to what is in the form */
export function settle(valid) {
  byId("results").removeAttribute("aria-busy");
  document.documentElement.toggleAttribute("data-kept", !valid);
}

/** @param {Record<string, string>} fragments html by the id of its place */
export function patch(fragments) {
  for (const [id, html] of Object.entries(fragments)) {
    const place = byId(id);
    setHtml(place, html.trim());
    delete place.dataset.old;
  }
}

/**
 * Give the table exactly these rows; one that is there already stays, as an old one, until its numbers come.
 * @param {Row[]} wanted
 */
export function arrange(wanted) {
  const known = new Map(all("tr", rows()).map((row) => [row.dataset.design, row]));
  rows().replaceChildren(...wanted.map(({ design, html }) => known.get(design) ?? elementOf(html)));
}

/** @param {Row} row */
export function putRow({ design, html }) {
  const old = all("tr", rows()).find((candidate) => candidate.dataset.design === design);
  old?.replaceWith(elementOf(html));
}
