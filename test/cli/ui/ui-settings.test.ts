import { expect, test } from '@jest/globals'
import { parseArguments } from '../../../src/cli/options/parse-arguments.ts'
import { uiSettings } from '../../../src/cli/ui/ui-settings.ts'

const token = 'a'.repeat(32)
const settings = (args: readonly string[], environment: Readonly<Record<string, string | undefined>> = {}) =>
  uiSettings(parseArguments(['ui', ...args]), environment)

test('without arguments, the viewer listens on port 4318 of this machine, with 256 MB of memory', () => {
  expect(settings([])).toEqual({
    host: '127.0.0.1',
    port: 4318,
    token: undefined,
    maxBytes: 256_000_000,
    database: undefined,
    files: [],
    program: undefined,
  })
})

test('what follows -- is the program with its own options', () => {
  const { files, program, port } = settings(['app.log', '--port', '0', '--', 'node', '--port', '1', '--', '-'])
  expect({ files, program, port }).toEqual({
    files: ['app.log'],
    program: ['node', '--port', '1', '--', '-'],
    port: 0,
  })
})

test.each([
  [['--max-memory', '64MB'], 64_000_000],
  [['--max-memory', '1.5gib'], 1_610_612_736],
  [['--max-memory', '16 MB'], 16_000_000],
])('a size can have a unit: %j', (args, bytes) => {
  expect(settings(args).maxBytes).toBe(bytes)
})

test.each([
  [['--db', 'a.db'], { file: 'a.db', maxBytes: 1_000_000_000 }],
  [['--db', 'a.db', '--max-db', '64MB'], { file: 'a.db', maxBytes: 64_000_000 }],
])('the database has a maximum size: %j', (args, database) => {
  expect(settings(args).database).toEqual(database)
})

test('the token is read from the option, or from the variable', () => {
  expect(settings(['--token', `${token}b`], { SLUICE_UI_TOKEN: token }).token).toBe(`${token}b`)
  expect(settings([], { SLUICE_UI_TOKEN: token }).token).toBe(token)
  expect(settings([], { SLUICE_UI_TOKEN: '' }).token).toBeUndefined()
})

test.each(['localhost', '127.0.0.1', '127.8.8.8', '::1'])('the address %s of this machine needs no token', (host) => {
  expect(settings(['--host', host]).host).toBe(host)
})

test.each([
  [['--port', '65536'], "--port must be a number from 0 to 65535, not '65536'"],
  [['--port', '-1'], "--port must be a number from 0 to 65535, not '-1'"],
  [['--port', '80a'], "--port must be a number from 0 to 65535, not '80a'"],
  [['--port', '1e3'], "--port must be a number from 0 to 65535, not '1e3'"],
  [['--port'], '--port needs a value: --port PORT'],
  [['--max-memory', '256'], "--max-memory must be a size from 16MB to 16GB, such as 256MB, not '256'"],
  [['--max-memory', '1MB'], "--max-memory must be a size from 16MB to 16GB, such as 256MB, not '1MB'"],
  [['--max-memory', '17GB'], "--max-memory must be a size from 16MB to 16GB, such as 256MB, not '17GB'"],
  [['--max-memory', '1TB'], "--max-memory must be a size from 16MB to 16GB, such as 256MB, not '1TB'"],
  [['--db='], '--db needs a value: --db FILE'],
  [['--max-db', '1GB'], '--max-db requires --db FILE'],
  [['--db', 'a.db', '--max-db', '1MB'], "--max-db must be a size from 16MB to 1000GB, such as 1GB, not '1MB'"],
  [['--token', 'short'], '--token must have at least 32 characters; generate one with openssl rand -hex 32'],
  [['--token', `${token} ü`], '--token must have visible ASCII characters only, because it is sent in a header'],
  [
    ['--host', '0.0.0.0'],
    '--host 0.0.0.0: everyone who can reach this address could read the logs; set SLUICE_UI_TOKEN to a secret, such as the output of openssl rand -hex 32',
  ],
  [
    ['--host', '127.0.0.1.example.com'],
    '--host 127.0.0.1.example.com: everyone who can reach this address could read the logs; set SLUICE_UI_TOKEN to a secret, such as the output of openssl rand -hex 32',
  ],
  [['--'], 'ui: write a program after --, such as sluice ui -- node app.js'],
  [['-', '--', 'node'], 'ui: standard input is that of the program after --, so it is not read for the FILE -'],
  [['--prot', '1'], 'unknown option --prot; did you mean --port?'],
  [['--follow'], '--follow is not an option of sluice ui, only of sluice'],
])('an invalid argument is reported with what to write: %j', (args, message) => {
  expect(() => settings(args)).toThrow(message)
})
