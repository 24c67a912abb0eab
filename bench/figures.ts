/** The units, each with the function that formats a value. */
const units = {
  ns: (value: number) => `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ns`,
  us: (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} µs`,
  ms: (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`,
  kB: (value: number) => `${value.toFixed(0)} kB`,
  MB: (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} MB`,
  MBps: (value: number) => `${value.toFixed(0)} MB/s`,
  bytes: (value: number) => value.toFixed(0),
  count: (value: number) => value.toFixed(0),
  perSecond: (value: number) => `${value.toFixed(0)}/s`,
  ratio: (value: number) => value.toFixed(2),
  share: (value: number) => `${(value * 100).toFixed(1)} %`,
} as const

interface FigureKind {
  readonly title: string
  readonly unit: keyof typeof units
  /** Higher values are better. Default: lower values are better. */
  readonly more?: true
}

/** All figures that a run can measure. Costs of one record are in ns, durations of a whole run in ms. */
export const figures = {
  /** Time on the calling thread until the last call has returned. */
  loop: { title: 'loop', unit: 'ns' },
  /** Time until the last byte is written, including the flush. */
  drain: { title: 'drain', unit: 'ns' },
  /** `loop` minus the `loop` of an empty function in the same round. */
  loopAbove: { title: 'loop above an empty function', unit: 'ns' },
  /** CPU time of all threads until the last byte is written. */
  cpu: { title: 'CPU', unit: 'ns' },
  /** Bytes and calls of write(2) of all threads, where the system counts them. */
  bytes: { title: 'bytes per record', unit: 'bytes' },
  writes: { title: 'writes', unit: 'count' },
  /** Complete writes divided by the minimum: one for each 64 KiB, and one at the end of each turn of the event loop. */
  writesPerPiece: { title: 'writes / minimum', unit: 'ratio' },
  /** Short writes, which `writes` includes; and writes that failed with EAGAIN. */
  shortWrites: { title: 'short writes', unit: 'count' },
  refusals: { title: 'EAGAIN', unit: 'count' },
  /** The CPU time of one unit of size up to this size, divided by that up to the middle size: 1 is linear growth. */
  bend: { title: 'cost vs. linear', unit: 'ratio' },
  /** Times of single calls; and the time of two clock reads, which is subtracted from each of them. */
  callP50: { title: 'call p50', unit: 'ns' },
  callP99: { title: 'p99', unit: 'us' },
  callP999: { title: 'p99.9', unit: 'us' },
  callMax: { title: 'longest call', unit: 'us' },
  clock: { title: 'clock reads', unit: 'ns' },
  /** Records logged per second until the last call has returned. */
  rate: { title: 'rate', unit: 'perSecond', more: true },
  /** Lost records: as the subject counts them, and as the checker does. */
  lost: { title: 'lost (own count)', unit: 'count' },
  missing: { title: 'missing', unit: 'count' },
  /** The longest time between two turns of the event loop. */
  block: { title: 'longest block', unit: 'ms' },
  /** The same as `monitorEventLoopDelay` measures it. */
  loopDelay: { title: 'loop delay', unit: 'ms' },
  /** Time of a single record until its last byte is written. */
  total: { title: 'total', unit: 'ms' },
  /** Time of a program from start to exit, including those of Node itself. */
  program: { title: 'program', unit: 'ms' },
  /** CPU time of all threads of the program, and of the processes that it waited for. */
  programCpu: { title: 'program CPU', unit: 'ms' },
  /** Time from the start of a process until its first line is in a file. */
  firstLine: { title: 'first line', unit: 'ms' },
  /** Time that a newly started program takes to load a package. */
  load: { title: 'load', unit: 'ms' },
  /** The size and the number of packages of an installation, without peer dependencies. */
  size: { title: 'installed size', unit: 'kB' },
  packages: { title: 'packages', unit: 'count' },
  /** Time of a compiler to check types, and the whole compilation including reading and parsing. */
  typeCheck: { title: 'check time', unit: 'ms' },
  compilation: { title: 'compilation', unit: 'ms' },
  /** Types that the compiler creates from generic types, and all types; and its memory. */
  instantiations: { title: 'instantiations', unit: 'count' },
  types: { title: 'types', unit: 'count' },
  compilerMemory: { title: 'compiler memory', unit: 'MB' },
  /** Peak resident memory minus the resident memory at the start. */
  memory: { title: 'peak memory', unit: 'MB' },
  /** Bytes allocated by a call, including the caller's object: on the heap of its thread, and in external buffers. */
  allocated: { title: 'bytes allocated per call', unit: 'bytes' },
  /** Responses of a server per second, and rows in them per second. */
  requests: { title: 'requests', unit: 'perSecond', more: true },
  rows: { title: 'rows', unit: 'perSecond', more: true },
  /** Time from a request to its complete response. */
  latency50: { title: 'latency p50', unit: 'us' },
  latency99: { title: 'latency p99', unit: 'us' },
  /** CPU time of all threads of the server, including the final flush. */
  cpuRequest: { title: 'CPU per request', unit: 'us' },
  /** The same of the server without logging, in laps between those of the subject; and the difference. */
  cpuNone: { title: 'CPU without logging', unit: 'us' },
  cpuAbove: { title: 'CPU per request above no logging', unit: 'us' },
  /** The server's own work for a row, without HTTP and without logging. */
  handler: { title: 'handler per row', unit: 'ns' },
  /** The share of the time in which the event loop of the server was not idle. */
  busy: { title: 'busy', unit: 'ratio' },
  /** Time to write the records that were queued when the load stopped. */
  leftover: { title: 'final flush', unit: 'ms' },
  /** Bytes of log files, before compression, that a program reads from its start to its exit. */
  readRate: { title: 'read', unit: 'MBps', more: true },
  /** Time from the start of a program until it has written something. */
  firstOutput: { title: 'first output', unit: 'ms' },
  /** Peak resident memory of a program, including that of its runtime. */
  residentMemory: { title: 'peak memory', unit: 'MB' },
  /** Time from the write of a line until a program that follows the file has written it. */
  follow50: { title: 'write to output p50', unit: 'ms' },
  follow95: { title: 'p95', unit: 'ms' },
  /** Records that a viewer receives per second, and those that it keeps. */
  received: { title: 'received', unit: 'perSecond', more: true },
  stored: { title: 'stored', unit: 'count', more: true },
  /** Time from the request of a view until its first rows are received, and until all records are tested; and its rows. */
  firstRows: { title: 'first rows', unit: 'ms' },
  allRows: { title: 'all rows', unit: 'ms' },
  matches: { title: 'matches', unit: 'count', more: true },
  /** Time from the start of a viewer until its page is connected. */
  firstPage: { title: 'start to first page', unit: 'ms' },
  /** Time from a key or a click in the page of the viewer until the first rows of a filter are seen. */
  filterLevel: { title: 'filter by level', unit: 'ms' },
  filterService: { title: 'by service', unit: 'ms' },
  filterTrace: { title: 'by trace', unit: 'ms' },
  filterText: { title: 'by text', unit: 'ms' },
  /** Time of a frame while the list is scrolled. */
  frame95: { title: 'frame p95', unit: 'ms' },
  /** Time from a request with a record until the page shows it. */
  shown50: { title: 'request to pixels p50', unit: 'ms' },
  shown95: { title: 'p95', unit: 'ms' },
  /** Heap of the page after a garbage collection, and its growth since the first 10 s. */
  pageHeap: { title: 'page heap', unit: 'MB' },
  pageHeapGrowth: { title: 'growth', unit: 'MB' },
  /** The share of one CPU that a program uses while its file does not change. */
  idleCpu: { title: 'idle CPU', unit: 'share' },
} as const satisfies Readonly<Record<string, FigureKind>>

export type FigureName = keyof typeof figures
export type Figures = Readonly<Partial<Record<FigureName, number>>>

export const figureOf = (name: FigureName): FigureKind => figures[name]

export const formatFigure = (value: number, name: FigureName): string =>
  Number.isFinite(value) ? units[figures[name].unit](value) : '-'
