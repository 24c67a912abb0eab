import { createLogger } from '../../../src/create/create-logger.ts'
import { type Encoding } from '../../../src/encode/encoding.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { OtlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import type { LoggerOptions, RootLogger } from '../../../src/logger/types.ts'
import type { Delivery, EncodedBatch, Exporter } from '../../../src/pipeline/exporter.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'

/** An exporter that keeps the bytes that it would send: for OTLP, whole requests. */
export interface CapturingExporter extends Exporter {
  /** Returns all bytes that were exported. */
  bytes(): Buffer
  /** Returns the same as text. Throws if the bytes are not UTF-8. */
  text(): string
  /** Returns the lines of `text()` without their line feeds. */
  lines(): string[]
  clear(): void
}

/** Creates a capturing exporter. Its schedule is `sync`, so that a line is exported when the log call returns. */
export function capturingExporter(encoding: Encoding = jsonLines(), delivery: Delivery = {}): CapturingExporter {
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

/** A parsed JSON line. */
export interface ParsedLine {
  readonly level: string
  readonly message?: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly [core: string]: unknown
}

/** A logger with its captured lines and diagnostics. */
export interface TestLogger<L extends string = never> {
  readonly log: RootLogger<object, L>
  readonly exporter: CapturingExporter
  readonly diagnostics: readonly Diagnostic[]
  /** Returns the parsed lines that `use` logs. */
  captureLines(use: (log: RootLogger<object, L>) => void): ParsedLine[]
  /** Returns the only line that `use` logs. Throws if it logs none or several. */
  captureLine(use: (log: RootLogger<object, L>) => void): ParsedLine
}

/** Creates a logger at level trace whose clock is at the Unix epoch and whose lines are captured. */
export function createTestLogger<L extends string = never>(
  options: LoggerOptions<object, L> = {},
  exporter: CapturingExporter = capturingExporter(),
): TestLogger<L> {
  const diagnostics: Diagnostic[] = []
  const log = createLogger<object, L>({
    level: 'trace',
    clock: atTheEpoch,
    exporter,
    handleExit: false,
    onDiagnostic: addTo(diagnostics),
    ...options,
  })
  function captureLines(use: (log: RootLogger<object, L>) => void): ParsedLine[] {
    exporter.clear()
    use(log)
    return exporter.lines().map((line) => JSON.parse(line) as ParsedLine)
  }
  return {
    log,
    exporter,
    diagnostics,
    captureLines,
    captureLine(use) {
      const lines = captureLines(use)
      if (lines.length !== 1) throw new Error(`${lines.length} lines instead of one: ${exporter.text()}`)
      return lines[0]!
    },
  }
}

/** A clock at the Unix epoch. It is not in the closure of a logger, as `addTo`. */
const atTheEpoch = (): number => 0

/**
 * Returns a callback whose closure does not include the logger. The pipeline references the callback, so a logger in its closure would
 * never be garbage collected, and properties create ten thousands of them.
 */
function addTo(diagnostics: Diagnostic[]): (diagnostic: Diagnostic) => void {
  return (diagnostic) => void diagnostics.push(diagnostic)
}
