import { oneLine } from '../../options/one-line.ts'
import { followFile } from '../../read/follow/follow-file.ts'
import type { LogArchive } from '../../viewer/database/log-archive.ts'
import { LogDatabase } from '../../viewer/database/log-database.ts'
import { addLines } from '../../viewer/inputs/add-lines.ts'
import { childEnvironment } from '../../viewer/inputs/child-environment.ts'
import { runChild } from '../../viewer/inputs/child-program.ts'
import { loadPageFiles } from '../../viewer/server/load-page-files.ts'
import { ViewerServer } from '../../viewer/server/viewer-server.ts'
import { RecordAdder } from '../../viewer/store/record-adder.ts'
import { Diagnostics } from '../diagnostics.ts'
import type { ParsedArguments } from '../options/parse-arguments.ts'
import { UsageError } from '../options/usage-error.ts'
import { uiSettings, type DatabaseSettings, type UiSettings } from './ui-settings.ts'

/**
 * Runs `sluice ui` until it is interrupted, or until its program has ended and no page is open. Returns the exit code, which is that of the
 * program.
 *
 * @throws UsageError if the arguments are invalid, or the port is in use.
 */
export async function runUi(parsed: ParsedArguments): Promise<number> {
  const settings = uiSettings(parsed, process.env)
  const diagnostics = new Diagnostics()
  const database = openDatabase(settings.database)
  const server = new ViewerServer({
    ...settings,
    database,
    page: loadPageFiles(),
    onWarning: (message) => diagnostics.note(message),
  })
  const url = await listen(server, settings)
  diagnostics.note(`open ${url}${settings.token === undefined ? '' : `/?token=${settings.token}`}`)
  if (server.archive !== undefined) void loadArchive(server.archive, diagnostics)
  const interrupted = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  const abort = new AbortController()
  for (const file of settings.files) void follow(file, server, diagnostics, abort.signal)
  try {
    if (settings.program === undefined) {
      await interrupted
      return interruptedCode
    }
    const code = await runProgram(settings.program, server, { url, token: settings.token })
    if (server.pageCount > 0) {
      diagnostics.note(`the program ended with the exit code ${code}; the viewer is open until Ctrl+C`)
      await interrupted
    }
    return code
  } finally {
    abort.abort()
    server.close()
  }
}

/** The exit code of a program that Ctrl+C has ended: 128 and the number of the signal. */
const interruptedCode = 130

/** @throws UsageError if the database cannot be opened. */
function openDatabase(settings: DatabaseSettings | undefined): LogDatabase | undefined {
  if (settings === undefined) return undefined
  try {
    return new LogDatabase(settings.file, settings.maxBytes)
  } catch (error) {
    throw new UsageError(`--db: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function loadArchive(archive: LogArchive, diagnostics: Diagnostics): Promise<void> {
  const { file, size, hasIndex } = archive.state
  diagnostics.note(
    `${oneLine(file)} has ${size} records; older ones are searched ${hasIndex ? 'with its full-text index' : 'one after the other, because this Node has no FTS5'}`,
  )
  try {
    await archive.load()
  } catch (error) {
    diagnostics.error(`${oneLine(file)}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function listen(server: ViewerServer, { host, port }: UiSettings): Promise<string> {
  try {
    const actualPort = await server.listen()
    return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      throw new UsageError(
        `port ${port} is in use, perhaps by another viewer or a Collector; write --port 0 for a free port`,
      )
    }
    if (code === 'EADDRNOTAVAIL') throw new UsageError(`--host ${host} is not an address of this machine`)
    if (code === 'EACCES') throw new UsageError(`port ${port} is reserved; write a port above 1023`)
    throw error
  }
}

async function follow(
  file: string,
  server: ViewerServer,
  diagnostics: Diagnostics,
  signal: AbortSignal,
): Promise<void> {
  try {
    const items = followFile(file, { signal })
    // Files are read again by the next viewer.
    const adder = new RecordAdder(server.logs, Date.now, file === '-')
    await addLines(file, items, adder, (message) => diagnostics.note(`${oneLine(file)}: ${message}`))
  } catch (error) {
    diagnostics.error(`${oneLine(file)}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function runProgram(
  program: readonly string[],
  server: ViewerServer,
  address: { readonly url: string; readonly token: string | undefined },
): Promise<number> {
  try {
    return await runChild({
      command: program,
      environment: childEnvironment(process.env, address, process.stdout.isTTY),
      adder: new RecordAdder(server.logs),
      stdout: process.stdout,
      stderr: process.stderr,
    })
  } catch (error) {
    throw new UsageError(`${program[0]}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
