import type { Output } from './output.ts'
import type { OutputSettings } from './output-settings.ts'
import { TerminalOutput } from './terminal-output.ts'

/** Creates the output for the flags of the command line. Only the code of the terminal format is loaded without them. */
export async function loadOutput(settings: OutputSettings): Promise<Output> {
  const { format, redact } = settings
  const isTerminalFormat = format === 'pretty' || format === 'line'
  if (isTerminalFormat && (redact === undefined || redact.length === 0)) return new TerminalOutput(settings)
  const { createOutput } = await import('./create-output.ts')
  return createOutput(settings)
}
