// Finding elements of the page, and the one way by which rendered fragments enter it.

/** @type {{ createHTML(html: string): any } | undefined} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("yuva-fragments", {
  // Fragments come from the planner's own templates, which escape every value.
  createHTML: (/** @type {string} */ html) => html,
});

/**
 * The element with this id; its absence is a defect of the page.
 * @param {string} id @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} selector @param {ParentNode} [within] @returns {T[]}
 */
export function all(selector, within = document) {
  return [...within.querySelectorAll(selector)].map((element) => /** @type {T} */ (element));
}

/** @param {Element} element @param {string} html */
export function setHtml(element, html) {
  element.innerHTML = policy ? policy.createHTML(html) : html;
}

/** @param {string} html one element @returns {HTMLElement} */
export function elementOf(html) {
  const holder = document.createElement("template");
  setHtml(holder, html.trim());
  return /** @type {HTMLElement} */ (holder.content.firstElementChild);
}
