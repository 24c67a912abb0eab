/** Units, and how a value is written in them. */
const units = {
  ns: (value: number) => `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ns`,
  us: (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} µs`,
  ms: (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`,
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
  /** CPU time of all threads until then. */
  cpu: { title: 'CPU', unit: 'ns' },
  /** Bytes and calls of write(2) of all threads, where the system tells. */
  bytes: { title: 'bytes a record', unit: 'bytes' },
  writes: { title: 'writes', unit: 'count' },
  /** Peak resident memory over that at the start. */
  memory: { title: 'peak memory', unit: 'MB' },
} as const satisfies Readonly<Record<string, FigureKind>>

export type FigureName = keyof typeof figures
export type Figures = Readonly<Partial<Record<FigureName, number>>>

export const figureOf = (name: FigureName): FigureKind => figures[name]

export const written = (value: number, name: FigureName): string =>
  Number.isFinite(value) ? units[figures[name].unit](value) : '-'
