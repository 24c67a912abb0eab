import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { requestOf } from '../support.ts'

/**
 * An app that exports numbered batches of records to a viewer until it is killed, four of them at once. The bodies are written in parts, so
 * that it is mostly killed in the middle of one. It writes the number of each batch before it is exported, and after it was acknowledged.
 * Arguments: the address of the viewer, the name of the app, the maximum number of records in a batch, and their length.
 */
const [url = '', name = '', maxRecords = '1', length = '1'] = process.argv.slice(2)
const partBytes = 4_096
const agent = new Agent({ keepAlive: true })
const filler = 'x'.repeat(Number(length))
let next = 0

await Promise.all(Array.from({ length: 4 }, exportAll))

async function exportAll(): Promise<never> {
  for (;;) {
    const batch = next++
    const count = 1 + (batch % Number(maxRecords))
    const records = Array.from({ length: count }, (_, index) => ({
      time: Date.now(),
      body: `${name} ${batch} ${index}/${count} ${filler}.`,
      // Records of the first resources are complete before the request is.
      service: `part-${index}`,
    }))
    // What a process has written to a pipe is read also if it is killed.
    writeSync(1, `exporting ${batch}\n`)
    if ((await post(requestOf(records), batch % 2 === 0)) === 200) writeSync(1, `acknowledged ${batch}\n`)
  }
}

async function post(body: Buffer, isChunked: boolean): Promise<number | undefined> {
  const headers = { 'content-type': 'application/x-protobuf', ...(!isChunked && { 'content-length': body.length }) }
  const message = request(`${url}/v1/logs`, { method: 'POST', agent, headers })
  const answer = once(message, 'response') as Promise<[IncomingMessage]>
  for (let at = 0; at < body.length; at += partBytes) {
    message.write(body.subarray(at, at + partBytes))
    await setTimeout(1)
  }
  message.end()
  const [response] = await answer
  await once(response.resume(), 'end')
  return response.statusCode
}
