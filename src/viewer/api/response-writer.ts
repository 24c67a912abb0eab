import type { ServerResponse } from 'node:http'
import type { TextWriter } from '../../output/text-writer.ts'

const pieceLength = 65_536

/** Writes text to a response, in large pieces. */
export class ResponseWriter implements TextWriter {
  private readonly response: ServerResponse
  private text = ''

  constructor(response: ServerResponse) {
    this.response = response
  }

  get isClosed(): boolean {
    return this.response.destroyed
  }

  /** What the client has not received yet, in bytes. */
  get waitingBytes(): number {
    return this.response.writableLength
  }

  write(text: string): void {
    this.text += text
    if (this.text.length >= pieceLength) this.flush()
  }

  writeBytes(bytes: Uint8Array): void {
    this.flush()
    this.response.write(bytes)
  }

  flush(): void {
    if (this.text !== '') this.response.write(this.text)
    this.text = ''
  }

  /** Waits until the client has received most of what was written. */
  async ready(): Promise<void> {
    const { response } = this
    if (!response.writableNeedDrain || response.destroyed) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        response.off('drain', end).off('close', end)
        resolve()
      }
      response.on('drain', end).on('close', end)
    })
  }

  async close(): Promise<void> {
    this.flush()
    this.response.end()
    await this.ready()
  }
}
