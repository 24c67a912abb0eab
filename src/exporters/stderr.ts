import { isWrittenAt, type DiagnosticLevel, type DiagnosticSeverity } from '../lifecycle/diagnostic-levels.ts'
import { diagnosticLevel } from '../platform/node/env.ts'
import { writeSync } from '../platform/node/write-sync.ts'
import { nonBlockingDescriptor, type Descriptor } from './fd/descriptor.ts'

let stderrDescriptor: Descriptor | undefined

/**
 * Writes a line to standard error, without blocking if O_NONBLOCK can be set for it. What standard error does not accept at once is then
 * lost. A line that is less severe than `level` is not written.
 *
 * @param level - Defaults to `OTEL_LOG_LEVEL`, which is read at each call, because diagnostics are rare.
 */
export function writeStderrLine(
  line: string,
  severity: DiagnosticSeverity = 'error',
  level: DiagnosticLevel = diagnosticLevel(undefined),
): void {
  if (!isWrittenAt(level, severity)) return
  try {
    stderrDescriptor ??= nonBlockingDescriptor(2)
    writeSync(stderrDescriptor.fd, Buffer.from(line))
  } catch {
    // Standard error is closed or full, or access is denied. There is no other destination for this line.
  }
}
