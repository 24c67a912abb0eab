import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { decoder } from '../../../scripts/real-parts/python.ts'
import { isInstalled } from '../../../scripts/real-parts/install.ts'
import { folderOf } from '../../../scripts/real-parts/part.ts'
import { type OtlpRecord, type OtlpRequest, recordsOf } from './records.ts'

/** Whether {@link startDecoder} can be used, for `needs()`. */
export const hasDecoder: boolean = isInstalled(decoder)

/** Decodes OTLP requests with an independent implementation. */
export interface OtlpDecoder {
  /** Returns the records of an ExportLogsServiceRequest. Rejects with the error message of the decoder. */
  decode(form: 'protobuf' | 'json', request: Uint8Array | string): Promise<OtlpRecord[]>
  stop(): Promise<void>
}

/** Starts a process that decodes requests, one after the other, until it is stopped. */
export function startDecoder(): OtlpDecoder {
  const program = join(import.meta.dirname, 'decoder.py')
  const child = spawn(join(folderOf(decoder), decoder.mainFile), [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const pending: { resolve(records: OtlpRecord[]): void; reject(error: Error): void }[] = []
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.stdin.on('error', () => undefined) // 'close' follows
  child.once('close', (code) => {
    for (const { reject } of pending.splice(0)) reject(new Error(`the decoder exited with ${code}`))
  })

  let unread = Buffer.alloc(0)
  child.stdout.on('data', (bytes: Buffer) => {
    unread = Buffer.concat([unread, bytes])
    while (unread.length >= 4 && unread.length >= 4 + unread.readUInt32BE()) {
      const end = 4 + unread.readUInt32BE()
      const reply = JSON.parse(unread.toString('utf8', 4, end)) as { request?: OtlpRequest; error?: string }
      unread = unread.subarray(end)
      const { resolve, reject } = pending.shift()!
      if (reply.request) resolve(recordsOf(reply.request))
      else reject(new Error(reply.error))
    }
  })

  return {
    decode: (form, request) =>
      new Promise((resolve, reject) => {
        const body = typeof request === 'string' ? Buffer.from(request) : request
        const header = Buffer.alloc(5, form[0])
        header.writeUInt32BE(body.length, 1)
        pending.push({ resolve, reject })
        child.stdin.write(header)
        child.stdin.write(body)
      }),
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
