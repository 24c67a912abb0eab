/** Units, and how a value is written in them. */
const units = {
  ns: (value: number) => `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ns`,
  us: (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} µs`,
  ms: (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`,
  kB: (value: number) => `${value.toFixed(0)} kB`,
  MB: (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} MB`,
  bytes: (value: number) => value.toFixed(0),
  count: (value: number) => value.toFixed(0),
  perSecond: (value: number) => `${value.toFixed(0)}/s`,
  ratio: (value: number) => value.toFixed(2),
} as const

interface FigureKind {
  readonly title: string
  readonly unit: keyof typeof units
  /** Where more is better; else less is. */
  readonly more?: true
}

/** Everything that a run can find out. What a record costs is in ns; what happens once is in ms. */
export const figures = {
  /** On the calling thread, until the last call has returned. */
  loop: { title: 'loop', unit: 'ns' },
  /** Until the last byte was written, the flush included. */
  drain: { title: 'drain', unit: 'ns' },
  /** The same, less that of an empty function in the same round. */
  loopAbove: { title: 'loop above an empty function', unit: 'ns' },
  /** CPU time of all threads until then. */
  cpu: { title: 'CPU', unit: 'ns' },
  /** Bytes and calls of write(2) of all threads, where the system tells. */
  bytes: { title: 'bytes a record', unit: 'bytes' },
  writes: { title: 'writes', unit: 'count' },
  /** Calls that wrote all they were given, over the least there can be: one for each 64 KiB and one a turn at its end. */
  writesPerPiece: { title: 'writes over the least', unit: 'ratio' },
  /** Calls that wrote less than they were given, which are in `writes` too; and calls that wrote nothing (EAGAIN). */
  shortWrites: { title: 'short', unit: 'count' },
  refusals: { title: 'EAGAIN', unit: 'count' },
  /** The CPU time that one unit of size costs up to this size, over what it costs up to the middle: 1 is a straight line. */
  bend: { title: 'bend', unit: 'ratio' },
  /** Of single calls; and what two looks at the clock take, which is taken off each call's time. */
  callP50: { title: 'call p50', unit: 'ns' },
  callP99: { title: 'p99', unit: 'us' },
  callP999: { title: 'p99.9', unit: 'us' },
  callMax: { title: 'longest call', unit: 'us' },
  clock: { title: 'clock', unit: 'ns' },
  /** Records logged, by the clock, until the last call has returned. */
  rate: { title: 'rate', unit: 'perSecond', more: true },
  /** Records lost: by the subject's own count, and by that of what arrived. */
  lost: { title: 'lost by its count', unit: 'count' },
  missing: { title: 'missing', unit: 'count' },
  /** The longest that two turns of the event loop lay apart. */
  block: { title: 'longest block', unit: 'ms' },
  /** The same as the event loop's own monitor has it. */
  loopDelay: { title: 'loop delay', unit: 'ms' },
  /** Of a single record: until the last byte was written. */
  total: { title: 'total', unit: 'ms' },
  /** Of a program, from its start to its end: start-up and exit of Node included. */
  program: { title: 'program', unit: 'ms' },
  /** CPU time of all its threads, and of the processes that it waited for. */
  programCpu: { title: 'program CPU', unit: 'ms' },
  /** From the start of a process until its first line is in a file. */
  firstLine: { title: 'first line', unit: 'ms' },
  /** Until a package was loaded by a program that has just started. */
  load: { title: 'load', unit: 'ms' },
  /** What its installation puts on the disk, peer dependencies left out, and how many packages that are. */
  size: { title: 'installed size', unit: 'kB' },
  packages: { title: 'packages', unit: 'count' },
  /** Peak resident memory over that at the start. */
  memory: { title: 'peak memory', unit: 'MB' },
  /** By a call, the caller's object included: on the heap of the calling thread, and in buffers outside of it. */
  allocated: { title: 'bytes allocated a call', unit: 'bytes' },
  /** Of a server: answers, and rows of them, a second. */
  requests: { title: 'requests', unit: 'perSecond', more: true },
  rows: { title: 'rows', unit: 'perSecond', more: true },
  /** From a request to its whole answer. */
  latency50: { title: 'latency p50', unit: 'us' },
  latency99: { title: 'latency p99', unit: 'us' },
  /** CPU time of all threads of the server, what was left to write included. */
  cpuRequest: { title: 'CPU a request', unit: 'us' },
  /** Of the same server without logging, in laps between those of the subject; and what the subject takes above it. */
  cpuNone: { title: 'CPU without logging', unit: 'us' },
  cpuAbove: { title: 'CPU a request above no logging', unit: 'us' },
  /** The server's own work on a row, without HTTP and without logging. */
  handler: { title: 'handler a row', unit: 'ns' },
  /** The share of the time in which the server's event loop did not wait for the load. */
  busy: { title: 'busy', unit: 'ratio' },
  /** How long it took to write what waited when the load had stopped. */
  leftover: { title: 'leftover', unit: 'ms' },
} as const satisfies Readonly<Record<string, FigureKind>>

export type FigureName = keyof typeof figures
export type Figures = Readonly<Partial<Record<FigureName, number>>>

export const figureOf = (name: FigureName): FigureKind => figures[name]

export const written = (value: number, name: FigureName): string =>
  Number.isFinite(value) ? units[figures[name].unit](value) : '-'
