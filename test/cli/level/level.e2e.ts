import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { levelControl } from '../../../src/level-control/level-control.ts'
import { levelsHandler } from '../../../src/level-control/http/levels-handler.ts'
import { runProgram, type ProgramRun } from '../run-program.ts'

const token = 'correct-horse-battery-staple'
const levels = levelsHandler({ token: [{ token, label: 'on-call' }] })
let folder: string
let url: string
/** What the server does with the next requests. */
let listener: RequestListener = levels
const server = createServer((request, response) => listener(request, response))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-level-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/levels`
})

afterAll(() => {
  rmSync(folder, { recursive: true })
  server.closeAllConnections()
  server.close()
})

function level(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProgramRun> {
  const variables = { SLUICE_LEVEL_TOKEN: token, SLUICE_LEVEL_URL: url, ...env }
  return runProgram(['level', ...args], { env: variables })
}

describe('sluice level', () => {
  test('adds, shows and reverts directives', async () => {
    const added = await level(['--url', url, 'db.*=debug', '--for', '1h30m'], { SLUICE_LEVEL_URL: undefined })
    expect(added).toMatchObject({ code: 0, stderr: '' })
    const [layer] = levelControl().describe().layers
    expect(layer).toMatchObject({ directives: 'db.*=debug', source: 'http', by: 'on-call' })
    expect(added.stdout).toContain(`Change ${layer!.id.slice(0, 8)} was added.`)
    const shown = await level([])
    expect(shown.stdout).toMatch(/^ID +DIRECTIVES +ENDS +SOURCE +BY$/m)
    expect(shown.stdout).toMatch(
      new RegExp(`^${layer!.id.slice(0, 8)}  db\\.\\*=debug  in 1h (30m|29m) +http +on-call$`, 'm'),
    )
    const reverted = await level(['--revert', layer!.id.slice(0, 8)])
    expect(reverted).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Change ${layer!.id.slice(0, 8)} reverted.`),
    })
    expect(levelControl().describe().layers).toEqual([])
    expect(await level(['--revert=all'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('There was no change to revert.'),
    })
  })

  test('reads the token from a file, joins several directives, and writes JSON', async () => {
    const file = join(folder, 'token')
    writeFileSync(file, `${token}\n`)
    const run = await level(['a=debug', 'b=warn', '--forever', '--token-file', file, '-o', 'json'], {
      SLUICE_LEVEL_TOKEN: 'wrong',
    })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const reply = JSON.parse(run.stdout) as { id: string; layers: readonly { directives: string }[] }
    expect(reply.layers).toEqual([expect.objectContaining({ id: reply.id, directives: 'a=debug,b=warn' })])
    expect(reply.layers[0]).not.toHaveProperty('untilMillis')
    await level(['--revert', 'all'])
  })

  test('shows the position of an invalid directive', async () => {
    const run = await level(['db.*=debgu'])
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toMatch(/^sluice: level: .*\ndb\.\*=debgu\n {5}\^\n$/)
  })

  test.each<[string, readonly string[], NodeJS.ProcessEnv, RegExp]>([
    ['no address', [], { SLUICE_LEVEL_URL: '' }, /--url http:/],
    ['an address without a scheme', ['--url', 'localhost:9090'], {}, /--url must be an address/],
    ['an address with a password', ['--url', `http://a:${token}@localhost/`], {}, /must not have a user/],
    ['no token', [], { SLUICE_LEVEL_TOKEN: '' }, /SLUICE_LEVEL_TOKEN, or write --token-file/],
    ['a token with a line break', [], { SLUICE_LEVEL_TOKEN: `${token}\nx` }, /cannot be sent in a header/],
    ['a token as an argument', ['--token', token], {}, /--token would show the token.*--token-file FILE/],
    ['a missing token file', ['--token-file', '/no/such/file'], {}, /no such file/],
    ['an empty token file', ['--token-file', '/dev/null'], {}, /\/dev\/null is empty/],
    ['a wrong token', [], { SLUICE_LEVEL_TOKEN: 'wrong' }, /rejected the token \(status 401\)/],
    ['a duration without a unit', ['a=debug', '--for', '10'], {}, /--for must be a duration/],
    ['a duration of 25 hours', ['a=debug', '--for', '25h'], {}, /at most 24h.*--forever/],
    ['a duration of 0', ['a=debug', '--for', '0s'], {}, /longer than 0/],
    ['two durations', ['a=debug', '--for', '1m', '--forever'], {}, /not both/],
    ['a duration without directives', ['--for', '1m'], {}, /need directives/],
    ['directives and a revert', ['a=debug', '--revert', 'all'], {}, /not both/],
    ['an ID that is a word', ['--revert', 'last'], {}, /ID of a change .*, or all/],
    ['an unknown ID', ['--revert', '00000000'], {}, /no change with this id \(status 404\)/],
    ['a port without a server', ['--url', 'http://127.0.0.1:1/'], {}, /127\.0\.0\.1:1: (connection refused|port 1)/],
    ['a host that does not exist', ['--url', 'http://sluice.invalid/'], {}, /unknown host|name server/],
    ['an option of the log view', ['-n', '3'], {}, /-n is not an option of sluice level/],
  ])('reports %s', async (_, args, env, message) => {
    const run = await level(args, env)
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
    expect(run.stderr.split('\n')).toHaveLength(2)
    expect(run.stderr).not.toContain(token)
  })

  test.each<[string, RequestListener, RegExp]>([
    ['a page', (_, response) => void response.end('<html>'), /no levels handler.*status 200/],
    ['another JSON object', (_, response) => void response.end('{"status":"ok"}'), /no levels handler/],
    ['a missing page', (_, response) => void response.writeHead(404).end('nothing'), /no levels handler.*status 404/],
    [
      'a redirect',
      (_, response) => void response.writeHead(302, { location: 'http://x.test/' }).end(),
      /redirects to http:\/\/x\.test\//,
    ],
    [
      'an error',
      (_, response) => void response.writeHead(500).end('{"error":{"message":"internal error"}}'),
      /internal error \(status 500\)/,
    ],
    ['a closed connection', (request) => void request.socket.destroy(), /closed the connection/],
  ])('reports a server that responds with %s', async (_, respond, message) => {
    listener = respond
    try {
      expect(await level([])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) })
    } finally {
      listener = levels
    }
  })

  test.each([[[]], [['-o', 'json']]])(
    'writes no control characters of a server to the terminal with %j',
    async (args) => {
      const evil = '\u001b]0;x\u0007\u009b2J\u202e'
      const layer = { id: evil, directives: evil, source: evil, by: evil }
      const logger = { name: evil, level: evil, configuredLevel: evil, dependsOnRecord: evil }
      listener = (_, response) =>
        void response.end(JSON.stringify({ id: evil, reverted: [evil], layers: [layer, 1, null], loggers: [logger] }))
      try {
        const run = await level(args)
        expect(run.code).toBe(0)
        // oxlint-disable-next-line no-control-regex
        expect(run.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
      } finally {
        listener = levels
      }
    },
  )
})
