"use strict";
// The server renders the page, whatever it shows. This script asks for it again
// when something happens, and puts in what differs.
(() => {
  const $ = (id) => document.getElementById(id);
  const body = document.body;
  const most = 1000, stops = "a,button,summary,[tabindex]";
  let search = location.search;

  const notice = (text) => {
    $("notice").textContent = text;
    clearTimeout(notice.timer);
    notice.timer = setTimeout(() => ($("notice").textContent = ""), 4000);
  };

  // Times are those of the reader.
  const two = (number) => String(number).padStart(2, "0");
  const clocks = (root) => {
    for (const time of root.querySelectorAll("time")) {
      const at = new Date(time.dateTime);
      time.textContent = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":") + "." + String(at.getMilliseconds()).padStart(3, "0");
      time.title = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-") + " " + time.textContent;
    }
  };

  const filter = () => {
    const wanted = $("filter").value.toLowerCase();
    const items = [...$("users").children].filter((item) => item.id !== "nobody");
    for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted);
    $("nobody").hidden = items.some((item) => !item.hidden);
  };

  const get = async (query) => {
    const response = await fetch("./" + query, {headers: {Accept: "text/html"}});
    if (!response.ok) throw new Error(`the page is answered ${response.status}`);
    return new DOMParser().parseFromString(await response.text(), "text/html");
  };

  // swap replaces an element unless it is as it was, with the focus and what is
  // unfolded in it.
  const swap = (id, page) => {
    const old = $(id), now = page.getElementById(id);
    if (old.was === now.outerHTML) return;
    const was = now.outerHTML;
    const open = [...old.querySelectorAll("details")].map((d) => d.open);
    const focus = old.contains(document.activeElement) ? [...old.querySelectorAll(stops)].indexOf(document.activeElement) : -1;
    const top = old.scrollTop;
    const adopted = document.adoptNode(now);
    old.replaceWith(adopted);
    adopted.was = was;
    if (old.dataset.token === adopted.dataset.token) [...adopted.querySelectorAll("details")].forEach((d, i) => (d.open = open[i]));
    if (adopted.localName === "details") adopted.open = old.open;
    adopted.scrollTop = top;
    if (focus < 0) return;
    const left = [...adopted.querySelectorAll(stops)];
    (left[focus] ?? (id === "waiting" ? $("next")?.querySelector(".main") : left.at(-1)))?.focus();
  };

  const show = (page) => {
    const partial = page.getElementById("requests").dataset.partial !== undefined;
    for (const id of ["failure", "users", "counts", "clear", "none", "service"]) swap(id, page);
    if (!partial) swap("more", page);
    const chosen = $("user").dataset.token;
    if (chosen !== page.getElementById("user").dataset.token) {
      swap("user", page);
      $("user").scrollIntoView({block: "nearest"});
      if (document.activeElement === body) [...$("users").querySelectorAll("a")].find((link) => link.search === "?token=" + encodeURIComponent(chosen))?.focus();
    } else if (!$("user").hidden) for (const id of ["user-head", "waiting", "campaigns"]) swap(id, page);
    filter();
    const list = $("requests"), rows = [...page.getElementById("requests").children];
    if (!partial) {
      const ids = new Set(rows.map((row) => row.id));
      for (const row of [...list.children]) if (!ids.has(row.id)) remove(row);
      if (!opened()) page.getElementById("missing").textContent = ""; // it was closed meanwhile
      swap("missing", page);
    }
    for (const row of rows.reverse()) {
      let old = $(row.id);
      if (old && at(old) !== at(row)) { // the numbers have started over
        remove(old);
        old = null;
      }
      if (isOpen(row) && number(row) !== opened()) fold(row); // as it was meanwhile
      if (old?.dataset.v === row.dataset.v && (isOpen(old) || !isOpen(row))) continue;
      const now = document.adoptNode(row);
      clocks(now);
      if (!old) {
        list.insertBefore(now, [...list.children].find((other) => number(other) < number(now)) ?? null);
        if (partial) now.classList.add("fresh");
        continue;
      }
      const focused = old.contains(document.activeElement);
      old.replaceWith(now);
      if (isOpen(old) && !isOpen(now)) {
        now.append(...old.querySelectorAll(".detail"));
        unfold(now);
      }
      if (focused) now.querySelector("a").focus();
    }
    while (list.children.length > most) list.lastElementChild.remove();
    body.dataset.version = page.body.dataset.version;
    body.dataset.journal = page.body.dataset.journal;
  };
  const number = (row) => Number(row.id.slice(1));
  const at = (row) => row.querySelector("time").dateTime;

  // The URL says which request was opened last, so that a reload keeps it and the
  // link can be sent to others.
  const opened = () => Number(new URLSearchParams(search).get("request"));
  const remember = (number) => {
    const query = new URLSearchParams(search);
    if (number) query.set("request", number);
    else query.delete("request");
    search = query.size ? "?" + query : "";
    history.replaceState(null, "", search || "./");
  };
  const remove = (row) => {
    row.remove();
    if (number(row) === opened()) remember(0);
  };

  // One request for the page at a time, and four in a second.
  let busy = false, again = false, whole = false;
  const refresh = async () => {
    if (busy) return void (again = true);
    busy = true;
    let wait = 250;
    const query = new URLSearchParams(search);
    const all = whole || query.has("show"); // what is in trouble may be so no more
    again = whole = false;
    if (!all) {
      query.delete("request"); // what was opened is there
      query.set("since", body.dataset.version);
    }
    try {
      const page = await get("?" + query);
      if (!all && page.body.dataset.journal !== body.dataset.journal) again = whole = true;
      else show(page);
    } catch { // the server is away, or busy
      again = true;
      whole ||= all;
      wait = 2000;
    }
    setTimeout(() => {
      busy = false;
      if (again) refresh();
    }, wait);
  };
  const refreshAll = () => {
    whole = true;
    refresh();
  };

  const go = (href, push) => {
    search = new URL(href, location.href).search;
    if (push) history.pushState(null, "", search || "./");
    refreshAll();
  };

  const isOpen = (row) => row.querySelector("a").ariaExpanded === "true";
  const unfold = async (row) => {
    row.querySelector("a").ariaExpanded = "true";
    const page = await get("?since=" + body.dataset.version + "&request=" + number(row)).catch(() => null);
    const detail = page?.getElementById(row.id)?.querySelector(".detail");
    if (!isOpen(row)) return; // it was closed meanwhile
    if (!detail) {
      fold(row);
      return notice(page ? "The request is no longer in the journal." : "The server does not answer.");
    }
    row.querySelector(".detail")?.remove();
    row.append(document.adoptNode(detail));
  };
  const fold = (row) => {
    row.querySelector(".detail")?.remove();
    row.querySelector("a").ariaExpanded = "false";
    if (number(row) === opened()) remember(0);
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch { // as on a page that is not from this machine
      const area = document.createElement("textarea");
      area.value = text;
      body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    notice("Copied.");
  };

  // call sends a request to the control plane, and returns what is wrong.
  const call = async (what, data) => {
    const [method, url] = what.split(" ");
    const response = await fetch(url, {method, body: data}).catch(() => null);
    if (!response) return "The server does not answer.";
    if (response.ok) return "";
    const problem = await response.json().catch(() => ({}));
    const words = ({path = "", problem, instead}) => [path.split(".").pop(), problem].filter(Boolean).join(": ") + (instead ? "; " + instead : "");
    return problem.mistakes?.map(words).join("\n") || problem.detail || `The answer is ${response.status}.`;
  };

  // enqueue has a reply played for the chosen token, and returns what is wrong. If
  // nothing is, it says what is played next, which is another one if some waited.
  const enqueue = async (reply, next) => {
    const token = "?token=" + encodeURIComponent($("user").dataset.token);
    const wrong = await call("POST replies" + token, reply);
    refresh();
    if (!wrong) fetch("users" + token).then((response) => response.json()).catch(() => ({})).then(({waiting}) => {
      notice(waiting > 1 ? `It waits behind ${waiting - 1} other${waiting > 2 ? "s" : ""}.` : next);
    });
    return wrong;
  };

  // What was said of something else is over when another thing is done.
  const hush = () => {
    notice("");
    if ($("wrong")) $("wrong").textContent = "";
  };

  document.addEventListener("click", async (event) => {
    const target = event.target.closest("a,button");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (target.dataset.copy !== undefined) return copy(target.dataset.copy);
    if (target.dataset.call) {
      hush();
      const wrong = await call(target.dataset.call);
      notice(wrong ? target.dataset.failed ?? wrong : target.dataset.done);
      return refreshAll();
    }
    if (target.dataset.reply) {
      hush();
      const wrong = await enqueue(target.dataset.reply, `The next answer: ${target.textContent}.`);
      return wrong && notice(wrong);
    }
    if (target.dataset.go !== undefined) {
      event.preventDefault();
      hush();
      return go(target.href, true);
    }
    if (target.matches("#requests > li > a")) {
      event.preventDefault();
      const row = target.parentElement;
      if (isOpen(row)) return fold(row);
      remember(number(row));
      unfold(row);
    }
  });

  document.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target, given = form.elements, reply = {};
    if (given.status.value.trim()) reply.status = /^\d+$/.test(given.status.value.trim()) ? Number(given.status.value) : given.status.value;
    if (given.fault.value) reply.fault = given.fault.value;
    if (given.delay.value.trim()) reply.delay = given.delay.value.trim();
    hush();
    reply.times = given.for.value === "always" ? "always" : Number(given.for.value);
    const wrong = await enqueue(JSON.stringify(reply), "It is played next.");
    if (wrong) $("wrong").textContent = wrong;
    else form.reset(); // or "always" would hold for the next one too
  });
  document.addEventListener("input", (event) => event.target.form?.id === "next" && ($("wrong").textContent = ""));

  addEventListener("popstate", () => location.search !== search && go(location.href, false));
  $("filter").addEventListener("input", filter);

  // While the page is hidden it holds no connection, of which a browser has few.
  let events;
  const live = (yes) => {
    $("live").hidden = false;
    $("live").textContent = yes ? "live" : "connecting";
    $("live").classList.toggle("lost", !yes);
  };
  const follow = () => {
    events?.close();
    if (document.hidden) return;
    events = new EventSource("events?since=" + body.dataset.version);
    events.onopen = () => {
      if ($("live").classList.contains("lost")) refreshAll(); // it may be another server
      live(true);
    };
    events.onerror = () => {
      live(false);
      if (events.readyState !== EventSource.CLOSED) return;
      refreshAll(); // as when too many follow
      setTimeout(follow, 2000);
    };
    events.addEventListener("request", refresh);
    events.addEventListener("missed", refresh);
    events.addEventListener("change", (event) => {
      const {what} = JSON.parse(event.data);
      if (what === "requests" || what === "reset") refreshAll();
      else refresh();
    });
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) refreshAll();
    follow();
  });
  clocks(document);
  if (opened()) ($("r" + opened()) ?? $("missing")).scrollIntoView();
  if ($("missing").textContent) remember(0);
  requestAnimationFrame(() => setTimeout(() => { // when the page has been painted
    $("zone").textContent = Intl.DateTimeFormat().resolvedOptions().timeZone;
    follow();
  }));
})();
