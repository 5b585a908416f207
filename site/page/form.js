// The form: reads and writes the texts in it, and shows what is said about a field. It never reads a number.

import { all, byId, setHtml } from "./dom.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Control */

const form = /** @type {HTMLFormElement} */ (byId("inputs"));

/** @returns {Control[]} */
const controls = () => all("input[name], textarea[name]", form);

/** @param {Control} control */
function textOf(control) {
  return control.type === "checkbox" ? (/** @type {HTMLInputElement} */ (control).checked ? "1" : "0") : control.value;
}

/** @param {Control} control @param {string} text */
function setText(control, text) {
  if (control.type === "checkbox") /** @type {HTMLInputElement} */ (control).checked = text === "1";
  else if (control.value !== text) control.value = text;
}

/** @returns {{ inputs: Record<string, string>, designs: string }} */
export function read() {
  const { designs, ...inputs } = Object.fromEntries(controls().map((control) => [control.name, textOf(control)]));
  return { inputs, designs };
}

/** @param {Record<string, string>} values texts by name; what is not named stays */
export function write(values) {
  for (const control of controls()) if (control.name in values) setText(control, values[control.name]);
}

/** Write a committed text as it was read. @param {string} name @param {string} text */
export function tidy(name, text) {
  write({ [name]: text });
  for (const place of all(`[data-reading="${name}"]`, form)) place.hidden = true;
}

/** @param {string} name @param {string} text */
export function set(name, text) {
  const control = controls().find((candidate) => candidate.name === name);
  if (control) setText(control, text);
  control?.focus();
}

/** @param {string} line */
export function addDesign(line) {
  const area = /** @type {HTMLTextAreaElement} */ (byId("input-designs"));
  area.value = [area.value.trimEnd(), line].filter(Boolean).join("\n");
  area.scrollTop = area.scrollHeight;
}

/** Say how texts were read, where that is not plain to see. @param {Record<string, string>} readings */
export function showReadings(readings) {
  for (const place of all("[data-reading]", form)) {
    const reading = readings[place.dataset.reading ?? ""];
    place.hidden = !reading;
    place.textContent = reading ?? "";
  }
}

/** Offer a reset where a field differs from its default. @param {string[]} changed */
export function showChanged(changed) {
  for (const button of all("[data-reset]", form)) button.hidden = !changed.includes(button.dataset.reset ?? "");
  byId("reset-all").hidden = changed.length === 0;
}

/** @param {{ field: string, message: string }[]} errors @param {string} summary html, or nothing */
export function showErrors(errors, summary) {
  const messages = new Map(errors.map(({ field, message }) => [field, message]));
  for (const control of controls()) {
    const message = messages.get(control.name);
    if (message) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
    const place = byId(`error-${control.name}`);
    place.hidden = !message;
    place.textContent = message ?? "";
  }
  if (summary !== byId("problems").innerHTML) setHtml(byId("problems"), summary.trim());
}

/** Nothing may be typed while the texts of a link are still to come. @param {boolean} locked */
export function lock(locked) {
  form.inert = locked;
}

/**
 * @param {{ onTyping: () => void, onCommit: (name: string) => void }} handlers
 *   onTyping at every keystroke, onCommit when a field is left or Enter is pressed in it
 */
export function watch({ onTyping, onCommit }) {
  const mine = (/** @type {Event} */ event) => /** @type {Control} */ (event.target).name;
  form.addEventListener("input", (event) => mine(event) && onTyping());
  form.addEventListener("change", (event) => mine(event) && onCommit(mine(event)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    onCommit(/** @type {Control} */ (document.activeElement)?.name ?? "");
  });
}
