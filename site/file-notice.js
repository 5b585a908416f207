// A classic script, because a page opened from a file may not load modules: it says why nothing will start.

if (location.protocol === "file:") {
  const notice = document.getElementById("from-file");
  if (notice) notice.hidden = false;
}
