import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { decoder } from '../../../scripts/real-parts/python.ts'
import { isThere } from '../../../scripts/real-parts/install.ts'
import { folderOf } from '../../../scripts/real-parts/part.ts'
import { type OtlpRecord, type OtlpRequest, recordsOf } from './records.ts'

/** What stands for {@link startDecoder} in `needs()`. */
export const decoderIsThere: boolean = isThere(decoder)

/** Reads requests of OTLP by an implementation that is not ours. */
export interface OtlpDecoder {
  /** The records of an ExportLogsServiceRequest. Rejects with the decoder's words when it cannot read it. */
  decode(form: 'protobuf' | 'json', request: Uint8Array | string): Promise<OtlpRecord[]>
  stop(): Promise<void>
}

/** Starts a child that answers requests, one after the other, until it is stopped. */
export function startDecoder(): OtlpDecoder {
  const program = join(import.meta.dirname, 'decoder.py')
  const child = spawn(join(folderOf(decoder), decoder.mainFile), [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: { resolve(records: OtlpRecord[]): void; reject(error: Error): void }[] = []
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.stdin.on('error', () => undefined) // told by 'close' as well
  child.once('close', (code) => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`the decoder ended with ${code}`))
  })

  let unread = Buffer.alloc(0)
  child.stdout.on('data', (bytes: Buffer) => {
    unread = Buffer.concat([unread, bytes])
    while (unread.length >= 4 && unread.length >= 4 + unread.readUInt32BE()) {
      const end = 4 + unread.readUInt32BE()
      const answer = JSON.parse(unread.toString('utf8', 4, end)) as { request?: OtlpRequest; error?: string }
      unread = unread.subarray(end)
      const { resolve, reject } = waiting.shift()!
      if (answer.request) resolve(recordsOf(answer.request))
      else reject(new Error(answer.error))
    }
  })

  return {
    decode: (form, request) =>
      new Promise((resolve, reject) => {
        const body = typeof request === 'string' ? Buffer.from(request) : request
        const header = Buffer.alloc(5, form[0])
        header.writeUInt32BE(body.length, 1)
        waiting.push({ resolve, reject })
        child.stdin.write(header)
        child.stdin.write(body)
      }),
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
