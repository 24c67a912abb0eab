import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { captureConsoleWith } from '../../../src/create/capture-console.ts'
import { interceptorsOf } from '../../../src/console/interceptors.ts'
import type { CaptureConsoleOptions, ConsoleCapture } from '../../../src/console/options.ts'

/** A stream that captures its input. */
export class CapturingStream extends Writable {
  text = ''
  isTTY = false
  /** The stream that captures the text. Default: this one. */
  target: CapturingStream = this

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.target.text += chunk.toString()
    done()
  }

  get lines(): string[] {
    return this.text.split('\n').slice(0, -1)
  }
}

/** A Node console and its captured output. */
export interface TestConsole {
  readonly console: Console
  readonly stdout: CapturingStream
  readonly stderr: CapturingStream
  capture(options: CaptureConsoleOptions): ConsoleCapture
}

export function createTestConsole(): TestConsole {
  const stdout = new CapturingStream()
  const stderr = new CapturingStream()
  const own = new Console({ stdout, stderr })
  const hooks = interceptorsOf(own)
  return { console: own, stdout, stderr, capture: (options) => captureConsoleWith(options, hooks) }
}
