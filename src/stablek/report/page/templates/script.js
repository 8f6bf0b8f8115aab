"use strict";
document.documentElement.classList.add("js");
document.addEventListener("DOMContentLoaded", function () {
  var all = function (what, where) { return Array.from((where || document).querySelectorAll(what)); };
  var island = JSON.parse(document.getElementById("island").textContent);
  var LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  function download(name, type, text) {
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: type }));
    link.download = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
  }

  // What sticks below the menu has to know how many rows the menu has.
  var menu = document.querySelector("nav");
  new ResizeObserver(function () {
    document.documentElement.style.setProperty("--nav", menu.offsetHeight + "px");
  }).observe(menu);

  // One slider moves every figure of its group.
  all(".explorer").forEach(function (box) {
    var slider = box.querySelector("input[type=range]");
    var ks = slider.dataset.ks.split(" ");
    var look = island.looks[box.dataset.name];
    var plots = all("svg.chart", box).filter(function (s) { return s.querySelector(".items"); });

    function recolour(svg, labels, trust) {
      var dots = all(".items circle", svg), names = svg.querySelector(".names");
      var seen = {};
      dots.forEach(function (dot, i) {
        var label = LETTERS.indexOf(labels[i]);
        dot.setAttribute("class", names ? "f" + label % 12 : "t" + trust[i]);
        var lines = tipOf(dot).split("\n");
        lines[1] = "cluster " + (label + 1);
        if (!names) lines = lines.filter(function (l) { return l.indexOf("consensus: ") !== 0; });
        setTip(dot, lines.join("\n"));
        (seen[label] = seen[label] || []).push([+dot.getAttribute("cx"), +dot.getAttribute("cy")]);
      });
      if (!names) return;
      names.replaceChildren();
      Object.keys(seen).forEach(function (label) {
        var points = seen[label], middle = [0, 1].map(function (axis) {
          return points.map(function (p) { return p[axis]; }).sort(function (a, b) { return a - b; })[points.length >> 1];
        });
        var far = function (p) { return Math.hypot(p[0] - middle[0], p[1] - middle[1]); };
        var at = points.reduce(function (a, b) { return far(b) < far(a) ? b : a; });
        var text = document.createElementNS("http://www.w3.org/2000/svg", "text");
        text.setAttribute("x", at[0]);
        text.setAttribute("y", at[1] + 5);
        text.setAttribute("text-anchor", "middle");
        text.textContent = +label + 1;
        names.append(text);
      });
    }

    function show() {
      var k = ks[slider.value];
      box.dataset.now = k;
      box.querySelector("output").textContent = k;
      slider.setAttribute("aria-valuetext", "k = " + k);
      all(".heat", box).forEach(function (h) { h.classList.toggle("now", h.dataset.k === k); });
      all("path.cdf[data-k]", box).forEach(function (p) {
        p.classList.toggle("now", p.dataset.k === k);
        if (p.dataset.k === k) p.parentNode.append(p);
      });
      if (look && look.labels[k]) plots.forEach(function (svg) { recolour(svg, look.labels[k], look.trust[k] || ""); });
    }
    slider.addEventListener("input", show);
    var links = all(".levels a[href='#" + box.closest("section").id + "']");
    all("button[data-to]", box).concat(links).forEach(function (to) {
      to.addEventListener("click", function () { slider.value = ks.indexOf(to.dataset.to); show(); });
    });
  });

  // Tables: sort by a heading, search, download.
  all(".listing").forEach(function (box) {
    var body = box.querySelector("tbody"), heads = all("th", box);
    var value = function (cell) { return cell.dataset.v === undefined ? cell.textContent : cell.dataset.v; };
    heads.forEach(function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", function () {
        var up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach(function (h) { h.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        var numeric = head.classList.contains("num");
        var rows = Array.from(body.rows).map(function (row) {
          var v = value(row.cells[column]);
          return [numeric ? parseFloat(v) : v, row];
        });
        rows.sort(function (a, b) {
          if (numeric) {
            if (isNaN(a[0]) || isNaN(b[0])) return isNaN(a[0]) - isNaN(b[0]);
            return up ? a[0] - b[0] : b[0] - a[0];
          }
          var c = a[0].localeCompare(b[0], undefined, { numeric: true });
          return up ? c : -c;
        });
        body.append.apply(body, rows.map(function (r) { return r[1]; }));
      });
    });
    all("input[type=search]", box).forEach(function (input) {
      input.addEventListener("input", function () {
        var wanted = input.value.toLowerCase();
        Array.from(body.rows).forEach(function (row) {
          row.hidden = row.textContent.toLowerCase().indexOf(wanted) < 0;
        });
      });
    });
    box.querySelector(".csv").addEventListener("click", function () {
      var quote = function (text) { return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text; };
      var lines = [heads.map(function (h) { return quote(h.dataset.name || h.textContent); }).join(",")];
      Array.from(body.rows).forEach(function (row) {
        if (!row.hidden) lines.push(Array.from(row.cells).map(function (c) { return quote(value(c)); }).join(","));
      });
      download(box.dataset.name + ".csv", "text/csv", lines.join("\n") + "\n");
    });
  });

  all(".copy").forEach(function (button) {
    button.addEventListener("click", function () {
      var code = button.closest(".card").querySelector("code");
      var done = function () {
        button.textContent = "Copied";
        setTimeout(function () { button.textContent = "Copy"; }, 1500);
      };
      if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, function () {});
      else getSelection().selectAllChildren(code);
    });
  });

  // What must be scrolled on a narrow screen can be reached by the keyboard.
  all(".drawing").forEach(function (box) {
    if (box.scrollWidth <= box.clientWidth) return;
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", box.closest("figure").querySelector("h3").textContent);
  });

  // Every figure can be saved as it is drawn now.
  all("figure > .drawing > svg.chart").forEach(function (svg) {
    var card = svg.closest(".card"), button = document.createElement("button");
    button.type = "button";
    button.className = "save";
    button.textContent = "SVG";
    button.title = "Save this figure";
    button.addEventListener("click", function () {
      var copy = svg.cloneNode(true), style = document.createElementNS(svg.namespaceURI, "style");
      style.textContent = document.querySelector("style").textContent;
      copy.prepend(style);
      copy.setAttribute("xmlns", svg.namespaceURI);
      var name = card.querySelector("h3").textContent.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase();
      download(name + ".svg", "image/svg+xml", new XMLSerializer().serializeToString(copy));
    });
    card.append(button);
  });

  // Tips at once instead of after a second; without this script the browser shows them.
  var tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  tip.setAttribute("role", "status");
  document.body.append(tip);
  function tipOf(shape) {
    var title = shape.querySelector(":scope > title");
    return title ? title.textContent : shape.dataset.tip || "";
  }
  function setTip(shape, text) {
    var title = shape.querySelector(":scope > title");
    if (title) title.textContent = text;
    else shape.dataset.tip = text;
  }
  document.addEventListener("mouseover", function (event) {
    var shape = event.target;
    if (!shape.closest || !shape.closest("svg")) { tip.hidden = true; return; }
    var title = shape.querySelector(":scope > title");
    if (title) { shape.dataset.tip = title.textContent; title.remove(); }
    tip.hidden = !shape.dataset.tip;
    tip.textContent = shape.dataset.tip || "";
  });
  document.addEventListener("mousemove", function (event) {
    if (tip.hidden) return;
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(4, Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)) + "px";
  });

  all(".theme").forEach(function (button) {
    button.hidden = false;
    button.addEventListener("click", function () {
      var root = document.documentElement;
      var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    });
  });
});
