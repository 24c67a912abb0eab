import { createLogger } from '../../../src/create/create-logger.ts'
import { type Encoding } from '../../../src/encode/encoding.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { OtlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import type { LoggerOptions, RootLogger } from '../../../src/logger/types.ts'
import type { Delivery, EncodedBatch, Exporter } from '../../../src/pipeline/exporter.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'

/** An exporter that keeps the bytes that it would send: of OTLP, whole requests. */
export interface LineKeeper extends Exporter {
  /** Everything that arrived, as it arrived. */
  bytes(): Buffer
  /** The same as text; throws where that is no UTF-8. */
  text(): string
  /** `text()` by line, without the ends. */
  lines(): string[]
  clear(): void
}

/** Makes one; `sync`, so that a line is there when the call returns. */
export function lineKeeper(encoding: Encoding = jsonLines(), delivery: Delivery = {}): LineKeeper {
  const kept: Uint8Array[] = []
  const bytes = () => Buffer.concat(kept)
  const text = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes())
  const { request } = encoding as Partial<OtlpEncoding>
  function keep(batch: EncodedBatch): { status: 'accepted' } {
    kept.push(
      request === undefined ? Uint8Array.from(batch.bytes()) : Buffer.concat(request(batch.bytes(), batch.sources())),
    )
    return { status: 'accepted' }
  }
  return {
    name: 'lines',
    encoding,
    schedule: 'sync',
    delivery,
    export: keep,
    exportSync: keep,
    bytes,
    text,
    lines: () => text().split('\n').slice(0, -1),
    clear: () => void kept.splice(0),
  }
}

/** A line as JSON.parse reads it. */
export interface ParsedLine {
  readonly level: string
  readonly message?: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly [core: string]: unknown
}

/** A logger, what it wrote and what it told. */
export interface Workbench<L extends string = never> {
  readonly log: RootLogger<object, L>
  readonly keeper: LineKeeper
  readonly problems: readonly Diagnostic[]
  /** The lines that `use` makes, parsed. */
  written(use: (log: RootLogger<object, L>) => void): ParsedLine[]
  /** The only line that `use` makes. */
  line(use: (log: RootLogger<object, L>) => void): ParsedLine
}

/** A logger of every level at the epoch, whose lines are kept. */
export function workbench<L extends string = never>(
  options: LoggerOptions<object, L> = {},
  keeper: LineKeeper = lineKeeper(),
): Workbench<L> {
  const problems: Diagnostic[] = []
  const log = createLogger<object, L>({
    level: 'trace',
    clock: () => 0,
    exporter: keeper,
    handleExit: false,
    onDiagnostic: (problem) => problems.push(problem),
    ...options,
  })
  function written(use: (log: RootLogger<object, L>) => void): ParsedLine[] {
    keeper.clear()
    use(log)
    return keeper.lines().map((line) => JSON.parse(line) as ParsedLine)
  }
  return {
    log,
    keeper,
    problems,
    written,
    line(use) {
      const lines = written(use)
      if (lines.length !== 1) throw new Error(`${lines.length} lines instead of one: ${keeper.text()}`)
      return lines[0]!
    },
  }
}
