import { readVariable, type Environment } from '../../platform/node/variables.ts'
import { DescriptorWriter, type WriterEvents } from './descriptor-writer.ts'
import { PagedWriter } from './paged-writer.ts'
import { pagerCommand } from './pager-command.ts'
import type { TextWriter } from '../../output/text-writer.ts'
import { isTerminal } from './is-terminal.ts'

/** How the output of a command is written. */
export interface TextWriterOptions extends WriterEvents {
  /** Whether long output is shown by a pager if the output is a terminal. */
  readonly usesPager: boolean
  /** Whether the input is written by a running program, such as a pipe: its lines are then shown as they come. */
  readonly isLive: boolean
  readonly environment: Environment
  /** Called after the text if the pager that a variable sets could not be started. */
  readonly onPagerMissing?: ((command: string) => void) | undefined
}

/** The descriptor of the standard output. */
const standardOutput = 1

/** Opens the writer of the standard output. */
export function openTextWriter(options: TextWriterOptions): TextWriter {
  const { usesPager, isLive, environment, onClosed, onPagerMissing } = options
  // Node has no descriptor for the pipe to a child process on Windows, where also few systems have a pager that shows colors.
  const canPage = usesPager && process.platform !== 'win32' && isTerminal(standardOutput)
  const command = canPage ? pagerCommand(environment) : undefined
  if (command === undefined) return new DescriptorWriter(standardOutput, { onClosed })
  // A terminal without a size has 0 rows.
  const screen = { rows: process.stdout.rows || 24, columns: process.stdout.columns || 80 }
  const setting = readVariable(environment, 'SLUICE_PAGER') ?? readVariable(environment, 'PAGER')
  const onMissing = setting === undefined ? undefined : () => onPagerMissing?.(setting)
  return new PagedWriter(standardOutput, { command, screen, isLive, onMissing }, { onClosed })
}
