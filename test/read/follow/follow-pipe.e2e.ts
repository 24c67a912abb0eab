import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { followFile } from '../../../src/read/follow/follow-file.ts'
import type { FollowItem } from '../../../src/read/follow/follow-item.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { importOf, runChild } from '../../support/processes/child.ts'
import { waitUntil } from '../../support/wait-until.ts'

let directory: TemporaryDirectory
beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(() => directory.remove())

const describeItem = (item: FollowItem): string => ('event' in item ? item.event : item.bytes.toString())

/** Follows standard input and writes its items as JSON lines. */
const program = `
${importOf('{ followFile }', 'src/read/follow/follow-file.ts')}
for await (const item of followFile('-')) console.log(JSON.stringify('event' in item ? item.event : item.bytes.toString()))
`

describe('followFile of pipes and standard input', () => {
  it('continues with the next writer of a named pipe, and ends an incomplete line of the one before', async () => {
    const path = directory.path('pipe')
    execFileSync('mkfifo', [path])
    const found: string[] = []
    const following = (async () => {
      for await (const item of followFile(path)) {
        found.push(describeItem(item))
        if (found.includes('end\n')) break
      }
    })()
    for (const text of ['a\nb\n', 'incomplete', 'c\n', 'end\n']) {
      await runChild({ command: 'sh', args: ['-c', 'printf "$0" > "$1"', text, path] })
      await waitUntil(() => found.includes(text), 20_000)
    }
    await following
    expect(found.filter((text) => text !== 'quiet' && text !== 'disconnected')).toEqual([
      'a\nb\n',
      'incomplete',
      'c\n',
      'end\n',
    ])
    // The next writer may open the pipe before the end of the one before is noticed.
    expect(found).toContain('disconnected')
  })

  it('ends while a named pipe has no writer', async () => {
    const path = directory.path('pipe')
    execFileSync('mkfifo', [path])
    const controller = new AbortController()
    const next = followFile(path, { signal: controller.signal }).next()
    setTimeout(() => controller.abort(), 20)
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it('returns an incomplete line of standard input after 1 s, and ends with its writer', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stdin.write('a\nb')
    await waitUntil(() => output.includes('"b"'), 20_000)
    child.stdin.end('c\nd\n')
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    expect(output.split('\n').filter((line) => !line.includes('quiet'))).toEqual(['"a\\n"', '"b"', '"c\\nd\\n"', ''])
  })

  it('returns a line of JSON of standard input only with its end', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stdin.write('a\n{"msg":')
    await waitUntil(() => output.includes('"a\\n"'), 20_000)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    child.stdin.end('1}\n')
    await new Promise((resolve) => child.once('close', resolve))
    expect(output.split('\n').filter((line) => !line.includes('quiet'))).toEqual([
      '"a\\n"',
      JSON.stringify('{"msg":1}\n'),
      '',
    ])
  })

  it('follows a file of standard input through a truncation', async () => {
    const path = directory.path('a.log')
    writeFileSync(path, 'a\n')
    const command = `exec "$0" --input-type=module --eval "$1" < "$2"`
    const child = spawn('sh', ['-c', command, process.execPath, program, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    await waitUntil(() => output.includes('"a\\n"'), 20_000)
    appendFileSync(path, 'b\n')
    await waitUntil(() => output.includes('"b\\n"'), 20_000)
    truncateSync(path)
    await waitUntil(() => output.includes('"truncated"'), 20_000)
    appendFileSync(path, 'c\n')
    await waitUntil(() => output.includes('"c\\n"'), 20_000)
    child.kill()
    expect(output.split('\n').filter((line) => line !== '"quiet"')).toEqual([
      '"a\\n"',
      '"b\\n"',
      '"truncated"',
      '"c\\n"',
      '',
    ])
  })
})
