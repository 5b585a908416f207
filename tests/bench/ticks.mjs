// The model tick by tick in plain JavaScript: what a careful programmer writes from the rules in an afternoon.
// The peer that the planner's speed is measured against, under Node and in a browser. Imports nothing.

/**
 * @typedef {{ at: number, left: number, report: boolean, begun: boolean }} Job
 * @typedef {{ seed: number, windowTicks: number, recordMs: number, reportTicks: number, trackingChance: number,
 *   reportChance: number, thresholdMs: number }} Load
 */

/** The default scenario for one replica; `share` of the sellers ask for a report. @returns {Load} */
export function defaultLoad(share = 0.5) {
  const recordMs = 1.2;
  const windowTicks = Math.round((30 * 60000) / recordMs);
  return {
    seed: 20260730,
    windowTicks,
    recordMs,
    reportTicks: 3000,
    trackingChance: (416.67 / 4) * (recordMs / 1000),
    reportChance: (4000 * share) / 4 / windowTicks,
    thresholdMs: 100,
  };
}

/** A splitmix32 stream. @param {number} seed @returns {() => number} draws from [0, 1) */
function splitmix32(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** One row: a design without overrides under a load. @param {string} design @param {Load} load */
export function simulate(design, load) {
  const [kind, ...args] = design.split(":");
  const seen = { waits: /** @type {number[]} */ ([]), spans: /** @type {number[]} */ ([]), begun: 0, arrived: 0 };
  if (kind === "shared" || kind === "separate") runPlain(+args[0], kind === "separate" ? +args[1] : 0, load, seen);
  else runRules(rulesOf(kind, args, load), load, seen);
  return { design, ...measure(seen, load) };
}

/** Shared and separate need no more than this. */
function runPlain(slots, workers, load, seen) {
  const { windowTicks, trackingChance, reportChance, reportTicks } = load;
  const tracking = splitmix32(load.seed);
  const reports = splitmix32(load.seed + 1);
  const slotLeft = new Array(slots).fill(0);
  const workerLeft = new Array(workers).fill(0);
  const line = [];
  const tasks = workers > 0 ? [] : line;
  const start = (job, tick) => {
    if (job.report) {
      seen.begun += 1;
      seen.spans.push(tick - job.at + job.left);
    } else seen.waits.push(tick - job.at);
    return job.left;
  };
  for (let tick = 0; tick < windowTicks; tick += 1) {
    if (tracking() < trackingChance) line.push({ at: tick, left: 1, report: false });
    if (reports() < reportChance) {
      seen.arrived += 1;
      tasks.push({ at: tick, left: reportTicks, report: true });
    }
    for (let i = 0; i < slots; i += 1) {
      if (slotLeft[i] > 0) slotLeft[i] -= 1;
      if (slotLeft[i] === 0 && line.length > 0) slotLeft[i] = start(line.shift(), tick);
    }
    for (let i = 0; i < workers; i += 1) {
      if (workerLeft[i] > 0) workerLeft[i] -= 1;
      if (workerLeft[i] === 0 && tasks.length > 0) workerLeft[i] = start(tasks.shift(), tick);
    }
  }
}

/** Every other design: where a job joins, where the rest of a cut one goes, and what a free slot takes. */
function rulesOf(kind, args, load) {
  const slots = +args[0];
  const left = new Array(slots).fill(0);
  /** @type {(Job | null)[]} */
  const held = new Array(slots).fill(null);
  /** @type {Job[]} */
  const line = [];
  const head = () => line.shift();
  const append = (job) => void line.push(job);
  const rules = { slots, left, held, piece: Infinity, resume: 0, join: append, rejoin: append, take: head };
  const quantum = () => Math.max(1, Math.round(+args[1] / load.recordMs));

  if (kind === "chunked") return { ...rules, piece: +args[1] };
  if (kind === "preemptive") {
    return { ...rules, piece: quantum(), resume: Math.round(+(args[2] ?? 0) / load.recordMs) };
  }
  if (kind === "priority") {
    const later = [];
    return {
      ...rules,
      join: (job) => void (job.report ? later : line).push(job),
      take: () => (line.length > 0 ? line.shift() : later.shift()),
    };
  }
  if (kind === "reserved") {
    const most = +args[1];
    return {
      ...rules,
      take: () => {
        let reports = 0;
        for (let i = 0; i < slots; i += 1) if (held[i]?.report) reports += 1;
        if (reports < most) return line.shift();
        const first = line.findIndex((job) => !job.report);
        return first < 0 ? undefined : line.splice(first, 1)[0];
      },
    };
  }

  // The rest bind a job to a slot when it arrives.
  const lines = Array.from({ length: slots }, () => /** @type {Job[]} */ ([]));
  let count = 0;
  const inTurn = () => count++ % slots;
  const chance = splitmix32(load.seed + 2);
  const shortest = () => {
    let best = 0;
    let fewest = Infinity;
    for (let i = 0; i < slots; i += 1) {
      const here = lines[i].length + (left[i] > 1 ? 1 : 0); // one that ends in this tick is as good as gone
      if (here < fewest) [best, fewest] = [i, here];
    }
    return best;
  };
  const longestOther = (own) => {
    let best = -1;
    for (let i = 0; i < slots; i += 1) {
      if (i !== own && lines[i].length > (best < 0 ? 0 : lines[best].length)) best = i;
    }
    return best;
  };
  const dispatch = { random: () => Math.floor(chance() * slots), jsq: shortest }[args[1]] ?? inTurn;
  const bound = { ...rules, join: (job) => void lines[dispatch()].push(job) };

  if (kind === "push") return { ...bound, take: (i) => lines[i].shift() };
  if (kind === "stealing") {
    return {
      ...bound,
      take: (i) => {
        if (lines[i].length > 0) return lines[i].shift();
        const victim = longestOther(i);
        return victim < 0 ? undefined : lines[victim].shift();
      },
    };
  }
  if (kind === "gpm") {
    const cycles = new Array(slots).fill(0);
    return {
      ...bound,
      piece: quantum(),
      take: (i) => {
        const victim = longestOther(i);
        if (line.length === 0 && lines[i].length === 0 && victim < 0) return undefined;
        cycles[i] += 1;
        if (cycles[i] % 61 === 0 && line.length > 0) return line.shift();
        if (lines[i].length === 0 && victim >= 0) {
          lines[i].push(...lines[victim].splice(0, Math.ceil(lines[victim].length / 2)));
        }
        return lines[i].length > 0 ? lines[i].shift() : line.shift();
      },
    };
  }
  throw new Error(`no such design: ${kind}`);
}

/** The tick loop of every design that needs rules. */
function runRules({ slots, left, held, piece, resume, join, rejoin, take }, load, seen) {
  const { windowTicks, trackingChance, reportChance, reportTicks } = load;
  const tracking = splitmix32(load.seed);
  const reports = splitmix32(load.seed + 1);
  for (let tick = 0; tick < windowTicks; tick += 1) {
    if (tracking() < trackingChance) join({ at: tick, left: 1, report: false, begun: false });
    if (reports() < reportChance) {
      seen.arrived += 1;
      join({ at: tick, left: reportTicks, report: true, begun: false });
    }
    for (let i = 0; i < slots; i += 1) {
      if (left[i] > 0) left[i] -= 1;
      if (left[i] > 0) continue;
      if (held[i] !== null && held[i].left > 0) rejoin(held[i]);
      held[i] = null;
      const job = take(i);
      if (job === undefined) continue;
      const ticks = Math.min(job.left, piece);
      left[i] = job.begun ? ticks + resume : ticks;
      job.left -= ticks;
      held[i] = job;
      if (!job.report) seen.waits.push(tick - job.at);
      else {
        if (!job.begun) seen.begun += 1;
        if (job.left === 0) seen.spans.push(tick + left[i] - job.at);
      }
      job.begun = true;
    }
  }
}

/** The columns of a golden row. */
function measure({ waits, spans, begun, arrived }, { recordMs, thresholdMs }) {
  const sorted = Float64Array.from(waits).sort();
  const count = sorted.length;
  const percentile = (p) => sorted[Math.min(count - 1, Math.floor((p / 100) * count))] * recordMs;
  return {
    tracking_requests: count,
    wait_p50_ms: percentile(50),
    wait_p99_ms: percentile(99),
    wait_max_ms: sorted[count - 1] * recordMs,
    delayed: waits.reduce((sum, wait) => sum + (wait * recordMs > thresholdMs ? 1 : 0), 0),
    reports_started: begun,
    reports_arrived: arrived,
    report_mean_s: ((spans.reduce((sum, span) => sum + span, 0) / spans.length) * recordMs) / 1000,
  };
}

/** The default plan: its seven rows and both searches, 15 runs in all. */
export function plan() {
  const whole = defaultLoad();
  const half = defaultLoad(0.25);
  const rows = [2, 4, 8].map((slots) => simulate(`shared:${slots}`, whole));
  rows.push(...[2, 4].map((slots) => simulate(`shared:${slots}`, half)));
  rows.push(...[2, 4].map((slots) => simulate(`separate:${slots}:2`, whole)));
  const smallest = (design) => {
    for (let slots = 1; slots <= 12; slots += 1) if (simulate(design(slots), whole).delayed === 0) return slots;
    return null;
  };
  return {
    rows,
    shared: smallest((slots) => `shared:${slots}`),
    separate: smallest((slots) => `separate:${slots}:2`),
  };
}
