import { isWrittenAt, type DiagnosticLevel, type DiagnosticSeverity } from '../lifecycle/diagnostic-levels.ts'
import { diagnosticLevel } from '../platform/node/env.ts'
import { writeSync } from '../platform/node/write-sync.ts'
import { writableDescriptor, type Descriptor } from './fd/descriptor.ts'

let stderr: Descriptor | undefined

/**
 * Writes a line to the standard error without blocking. A line, or the part of it, that is not accepted at once is lost. A line
 * that is less severe than `level` is not written.
 *
 * @param level - Defaults to `OTEL_LOG_LEVEL`, which is read at each call, since diagnostics are rare.
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
    // Standard error is closed or full, or access is denied. There is no other destination for this line.
  }
}
