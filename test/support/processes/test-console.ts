import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { captureWith } from '../../../src/create/capture-console.ts'
import { hooksOf } from '../../../src/console/hooks.ts'
import type { CaptureConsoleOptions, ConsoleCapture } from '../../../src/console/options.ts'

/** A stream that keeps what it is given. */
export class TextKeeper extends Writable {
  text = ''
  isTTY = false
  /** Who keeps it in its place. */
  into: TextKeeper = this

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.into.text += chunk.toString()
    done()
  }

  get lines(): string[] {
    return this.text.split('\n').slice(0, -1)
  }
}

/** A console of Node's, and where it prints. */
export interface KeptConsole {
  readonly console: Console
  readonly stdout: TextKeeper
  readonly stderr: TextKeeper
  capture(options: CaptureConsoleOptions): ConsoleCapture
}

export function keptConsole(): KeptConsole {
  const stdout = new TextKeeper()
  const stderr = new TextKeeper()
  const own = new Console({ stdout, stderr })
  const hooks = hooksOf(own)
  return { console: own, stdout, stderr, capture: (options) => captureWith(options, hooks) }
}
