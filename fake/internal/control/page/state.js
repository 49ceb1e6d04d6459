// What the server said last of what is shown.

const fewInTrouble = 100;

const state = {
  health: {},
  users: [],
  unknown: {}, // how tokens are answered that no user has
  list: {requests: []},
  trouble: {requests: []},
  hasPassedOn: false, // requests to the upstream
  held: [], // the requests of the chosen token that wait for their release
  replies: [], // those of the chosen token that wait to be played
  settings: null,
  shown: undefined, // the link to what all this was asked for
};

// opened are the requests that are opened: by number, with headers once these are known.
const opened = new Map();

// load asks for what is shown. It returns false if something else is shown by then.
async function load() {
  const shown = linkTo({});
  const token = chosenToken();
  const health = await get("health"); // alone, since the server may be away
  const [{users, unknown}, list, trouble, hasPassedOn, held, service] = await Promise.all([
    get("users"),
    getList(),
    getRequests({advice: true, limit: fewInTrouble}),
    getPassedOn(),
    getHeld(token),
    byId("service").open ? get("service") : undefined,
  ]);
  if (shown !== state.shown) closeOthers(list.requests);
  const [replies] = await Promise.all([getReplies(token, users), loadOpened()]);
  if (linkTo({}) !== shown) return false;
  Object.assign(state, {
    health,
    users,
    unknown,
    list,
    trouble,
    hasPassedOn,
    held,
    replies,
    shown,
  });
  if (service) state.settings = service.settings;
  return true;
}

// closeOthers closes the requests that do not belong to what is shown now.
function closeOthers(listed) {
  const numbers = new Set(listed.map(({number}) => number));
  for (const number of opened.keys()) {
    if (!numbers.has(number) && !isOfAddress(number)) opened.delete(number);
  }
}

// isOfAddress says whether the URL has a request.
function isOfAddress(number) {
  return number === Number(parameter("request"));
}

// loadOpened asks for the requests that are opened. Each is asked for every time, since its
// answer may still be sent, and the advice on it goes by the settings of now.
function loadOpened() {
  return Promise.all([...opened.keys()].map(loadRequest));
}

async function loadRequest(number) {
  const request = await getRequest(number);
  if (!opened.has(number)) return; // it was closed meanwhile
  const known = opened.get(number);
  // After a reset another request has the number.
  const isSame = request && (!known || known.at === request.at);
  if (isSame) {
    opened.set(number, request);
  } else {
    closeMissing(number);
  }
}

// closeMissing closes a request that is not in the journal.
function closeMissing(number) {
  opened.delete(number);
  if (!isOfAddress(number)) return;
  changeAddress({request: 0});
  byId("missing").textContent =
    `Request ${number} is not in the journal. It was cleared, or is too old, or never came.`;
}
