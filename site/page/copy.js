// The copy buttons: to the clipboard where that is allowed, else the text is selected for the user to copy.

import { all, byId } from "./dom.js";

export function watchCopyButtons() {
  for (const button of all("[data-copy]")) {
    button.addEventListener("click", async () => {
      const source = byId(button.dataset.copy ?? "");
      const note = byId("copied");
      try {
        await navigator.clipboard.writeText(source.textContent ?? "");
        note.textContent = note.dataset.done ?? "";
      } catch {
        getSelection()?.selectAllChildren(source);
        note.textContent = note.dataset.failed ?? "";
      }
      setTimeout(() => (note.textContent = ""), 4000);
    });
  }
}
