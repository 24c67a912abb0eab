import { childEnvironment, signalsSentElsewhere, type TelemetryAddress } from '../../viewer/inputs/child-environment.ts'
import { runChild, type ProgramEnd } from '../../viewer/inputs/child-program.ts'
import type { ViewerServer } from '../../viewer/server/viewer-server.ts'
import { RecordAdder } from '../../viewer/store/record-adder.ts'
import type { Diagnostics } from '../diagnostics.ts'

/** The exit codes of shells for a program that does not exist, or cannot be run. */
const [notFoundCode, notExecutableCode] = [127, 126]

/** Runs the program of `sluice ui -- PROGRAM`. A program that cannot be started is reported. */
export async function runUiProgram(
  program: readonly string[],
  server: ViewerServer,
  address: TelemetryAddress,
  diagnostics: Diagnostics,
): Promise<ProgramEnd> {
  const { env, stdin, stdout, stderr } = process
  const elsewhere = signalsSentElsewhere(env)
  if (elsewhere.length > 0)
    diagnostics.note(
      `the program sends its ${elsewhere.join(' and ')} to the endpoint of its environment (OTEL_EXPORTER_OTLP_…), not to the viewer`,
    )
  try {
    return await runChild({
      command: program,
      // Colors are written to a terminal only, and not to a file next to it.
      environment: childEnvironment(env, address, stdout.isTTY && stderr.isTTY ? stdout.getColorDepth() : 1),
      adder: new RecordAdder(server.logs),
      duplicates: server.duplicates,
      stdout,
      stderr,
      isInTerminal: stdin.isTTY || stdout.isTTY || stderr.isTTY,
      onReadError: (error) => diagnostics.error(`the output of the program is not read any more: ${messageOf(error)}`),
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    diagnostics.error(`${program[0]}: ${code === 'ENOENT' ? 'command not found' : messageOf(error)}`)
    return { code: code === 'ENOENT' ? notFoundCode : notExecutableCode, isInterrupted: false }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
