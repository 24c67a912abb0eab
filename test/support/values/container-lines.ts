/** The number of bytes after which containerd, CRI-O and Docker split a line. */
export const CONTAINER_LINE_BYTES = 16_384

const TIME = '2026-11-21T09:56:03.123456789Z'

interface Piece {
  readonly bytes: Buffer
  readonly isLast: boolean
}

/** Returns the log of a container that printed `output`, in the format of CRI: `<time> <stream> <P or F> <text>`. */
export function criLog(output: string): Buffer {
  return lines(piecesOf(output), ({ bytes, isLast }) => [`${TIME} stdout ${isLast ? 'F' : 'P'} `, bytes, '\n'])
}

/** The same in Docker's json-file format: `{"log":"<text>","stream":"stdout","time":"<time>"}`. Only the last piece of a line ends in `\n`. */
export function dockerLog(output: string): Buffer {
  return lines(piecesOf(output), ({ bytes, isLast }) => {
    const log = bytes.toString('utf8') + (isLast ? '\n' : '')
    return [JSON.stringify({ log, stream: 'stdout', time: TIME }), '\n']
  })
}

/** Rejoins the printed lines from a CRI log, where the next entry continues a partial one. */
export function readCriLog(log: Buffer): string[] {
  return rejoined(log, (line) => {
    const [, tag, text] = /^\S+ stdout ([PF]) (.*)$/.exec(line)!
    return { text: text!, isLast: tag === 'F' }
  })
}

/** Rejoins the printed lines from a json-file log. */
export function readDockerLog(log: Buffer): string[] {
  return rejoined(log, (line) => {
    const { log: piece } = JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as { log: string }
    const text = Buffer.from(piece).toString('latin1')
    return { text: text.replace(/\n$/, ''), isLast: text.endsWith('\n') }
  })
}

/** Splits bytes, because a runtime also splits inside characters. */
function piecesOf(output: string): Piece[] {
  const printed = output.split('\n').slice(0, -1)
  return printed.flatMap((line) => {
    const bytes = Buffer.from(line)
    const pieces: Piece[] = []
    for (let at = 0; at === 0 || at < bytes.length; at += CONTAINER_LINE_BYTES) {
      const isLast = at + CONTAINER_LINE_BYTES >= bytes.length
      pieces.push({ bytes: bytes.subarray(at, at + CONTAINER_LINE_BYTES), isLast })
    }
    return pieces
  })
}

function lines(pieces: readonly Piece[], write: (piece: Piece) => (string | Buffer)[]): Buffer {
  return Buffer.concat(pieces.flatMap(write).map((part) => Buffer.from(part)))
}

/** Rejoins lines as latin1 text, one character per byte. */
function rejoined(log: Buffer, read: (line: string) => { text: string; isLast: boolean }): string[] {
  const whole: string[] = []
  let begun = ''
  for (const line of log.toString('latin1').split('\n').slice(0, -1)) {
    const { text, isLast } = read(line)
    begun += text
    if (!isLast) continue
    whole.push(Buffer.from(begun, 'latin1').toString('utf8'))
    begun = ''
  }
  return whole
}
