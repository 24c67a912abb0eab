/** A destination of text and bytes, which are gathered and written in large pieces. */
export interface TextWriter {
  /** Whether further text is discarded, because the reader has closed the pipe or the pager. */
  readonly isClosed: boolean
  /** Adds text. A lone surrogate is written as U+FFFD. */
  write(text: string): void
  /** Adds bytes, which are written unchanged. */
  writeBytes(bytes: Uint8Array): void
  /** Writes what is gathered. */
  flush(): void
  /** Writes what is gathered, and waits until the reader has received all and the pager was quit. */
  close(): Promise<void>
}
