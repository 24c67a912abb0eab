import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../cli/run-program.ts'

const token = 'correct-horse-battery-staple'
const tenants = ['acme', 'globex', 'initech']
const program = fileURLToPath(new URL('./scenario-server.ts', import.meta.url))

/** A line of the server's log. */
interface Line {
  readonly message: string
  readonly attributes?: { readonly tenant?: string; readonly number?: number }
}

/** What the server prints when it is stopped. */
interface Totals {
  readonly requests: number
  readonly emitted: number
  readonly accepted: number
  readonly filtered: number
  readonly written: number
  readonly queued: number
  readonly unknown: number
  readonly dropped: number
}

let folder: string
let server: ChildProcessByStdio<null, Readable, null>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-scenario-'))
})

afterAll(() => {
  server.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

/** Sends requests of all tenants, several at the same time, until it is aborted. Returns the number of responses. */
async function load(url: string, signal: AbortSignal): Promise<number> {
  let responses = 0
  const client = async (first: number): Promise<void> => {
    for (let index = first; !signal.aborted; index++) {
      const response = await fetch(`${url}/${tenants[index % tenants.length]!}`)
      await response.text()
      expect(response.status).toBe(200)
      responses++
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, index) => client(index)))
  return responses
}

test('one tenant of a server under load is raised to debug over HTTP, and its level reverts by itself', async () => {
  const path = join(folder, 'app.log')
  server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, path, token], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = createInterface(server.stdout)[Symbol.asyncIterator]()
  const { value: url } = (await output.next()) as { value: string }

  const stop = new AbortController()
  const loaded = load(url, stop.signal)
  await setTimeout(500)
  const changed = await runProgram(['level', '--url', `${url}/levels`, '[tenant=acme]=debug', '--for', '2s'], {
    env: { SLUICE_LEVEL_TOKEN: token },
  })
  expect(changed).toMatchObject({ code: 0, stderr: '' })
  await setTimeout(3_000)
  const shown = await runProgram(['level', '--url', `${url}/levels`], { env: { SLUICE_LEVEL_TOKEN: token } })
  stop.abort()
  const responses = await loaded
  server.kill('SIGTERM')
  const { value: printed } = (await output.next()) as { value: string }
  const totals = JSON.parse(printed) as Totals
  await once(server, 'close')

  const text = readFileSync(path, 'utf8')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const set = lines.findIndex(({ message }) => message.startsWith('log level directives set by http (scenario)'))
  const expired = lines.findIndex(({ message }) => message.startsWith('log level directives expired'))
  expect(0 < set && set < expired && expired < lines.length).toBe(true)
  expect(shown.stdout).toContain('No directives are set.')
  expect(text).not.toContain(token)

  // Each served request of the tenant has its debug record in this interval, and no other request has one.
  const served = lines.filter(({ message }) => message.startsWith('served'))
  const between = lines.slice(set, expired).filter(({ message }) => message.startsWith('served'))
  const queries = lines.filter(({ message }) => message.startsWith('query'))
  const expected = between.filter(({ attributes }) => attributes?.tenant === 'acme')
  expect(queries.map(({ attributes }) => attributes)).toEqual(expected.map(({ attributes }) => attributes))
  expect(queries.length).toBeGreaterThan(10)
  for (const tenant of tenants) {
    for (const part of [lines.slice(0, set), between, lines.slice(expired)]) {
      expect(part.some((line) => line.attributes?.tenant === tenant)).toBe(true)
    }
  }

  // Everything is accounted for.
  const emitted = lines.length
  expect(served.map(({ attributes }) => attributes?.number)).toEqual(
    Array.from({ length: totals.requests }, (_, index) => index + 1),
  )
  expect(responses).toBe(totals.requests)
  expect(totals).toMatchObject({
    emitted,
    accepted: emitted,
    filtered: 0,
    written: emitted,
    queued: 0,
    unknown: 0,
    dropped: 0,
  })
})
