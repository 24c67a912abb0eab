import { isWrittenAt, type DiagnosticLevel, type DiagnosticSeverity } from '../lifecycle/diagnostic-levels.ts'
import { diagnosticLevel } from '../platform/node/env.ts'
import { writeSync } from '../platform/node/write-sync.ts'
import { writableDescriptor, type Descriptor } from './fd/descriptor.ts'

let stderr: Descriptor | undefined

/**
 * Writes a line to the standard error without ever waiting for its reader; what it does not take at once is lost. A line that
 * is less severe than `level` is not written.
 *
 * @param level - default: `OTEL_LOG_LEVEL`, read at each call, since diagnostics are rare
 */
export function stderrLine(
  line: string,
  severity: DiagnosticSeverity = 'error',
  level: DiagnosticLevel = diagnosticLevel(undefined),
): void {
  if (!isWrittenAt(level, severity)) return
  try {
    stderr ??= writableDescriptor(2)
    writeSync(stderr.fd, Buffer.from(line))
  } catch {
    // closed, full or refused: there is nowhere left to tell it
  }
}
