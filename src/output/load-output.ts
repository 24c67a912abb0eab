import type { Output } from './output.ts'
import type { OutputSettings } from './output-settings.ts'
import { RawOutput } from './raw-output.ts'
import { TerminalOutput } from './terminal-output.ts'

/** Creates the output for the flags of the command line. The code of the encoders is loaded only if it is needed. */
export async function loadOutput(settings: OutputSettings): Promise<Output> {
  const { format, redact } = settings
  if (redact === undefined || redact.length === 0) {
    if (format === 'pretty' || format === 'line') return new TerminalOutput(settings)
    if (format === 'raw') return new RawOutput(settings)
  }
  const { createOutput } = await import('./create-output.ts')
  return createOutput(settings)
}
