/* SPDX-License-Identifier: MIT */
/* Finds words inside names and pages. window.linea_index is a list of [title, address, kind, text]. */
(() => {
  const field = document.getElementById("search"), list = document.getElementById("results");
  const root = document.currentScript.src.replace(/search\.js$/, "");
  if (!field) return;
  const escaped = text => text.replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);

  function rank([title, , kind, text], words) {
    const name = title.toLowerCase(), body = text.toLowerCase();
    let total = 0;
    for (const word of words) {
      const at = name.indexOf(word);
      if (at < 0 && !body.includes(word)) return 0;
      total += at < 0 ? 1 : name === word ? 40 : at === 0 ? 20 : 10;
    }
    return total + (kind === "guide" ? 2 : kind === "reference" ? 5 : 0);
  }

  function excerpt(text, words) {
    const at = words.map(word => text.toLowerCase().indexOf(word)).find(at => at >= 0);
    if (at === undefined) return text.slice(0, 100);
    return (at > 40 ? "…" : "") + text.slice(Math.max(0, at - 40), at + 80) + "…";
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(word => word.length > 1);
    const found = words.length === 0 ? [] : window.linea_index.map(entry => [rank(entry, words), entry])
        .filter(([total]) => total > 0).sort((one, other) => other[0] - one[0]).slice(0, 25);
    list.innerHTML = found.map(([, [title, address, kind, text]]) => `<li><a href="${root}${address}"><b>${escaped(title)}</b>
      <small>${kind}</small><span>${escaped(excerpt(text, words))}</span></a></li>`).join("");
    if (words.length > 0 && found.length === 0) list.innerHTML = "<li><a>Nothing found.</a></li>";
    list.hidden = words.length === 0;
  }

  field.addEventListener("input", show);
  field.addEventListener("keydown", event => {
    const first = list.querySelector("a[href]");
    if (event.key === "Enter" && first) location.href = first.href;
    if (event.key === "Escape") { field.value = ""; show(); }
  });
  document.addEventListener("click", event => { if (!event.target.closest(".search")) list.hidden = true; });
})();
