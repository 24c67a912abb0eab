/** After so many bytes containerd, CRI-O and Docker split a line. */
export const CONTAINER_LINE_BYTES = 16_384

const TIME = '2026-11-21T09:56:03.123456789Z'

interface Piece {
  readonly bytes: Buffer
  readonly isLast: boolean
}

/** The log of a container that printed `output`, by the format of CRI: `<time> <stream> <P or F> <text>`. */
export function criLog(output: string): Buffer {
  return lines(piecesOf(output), ({ bytes, isLast }) => [`${TIME} stdout ${isLast ? 'F' : 'P'} `, bytes, '\n'])
}

/** The same by Docker's json-file: `{"log":"<text>","stream":"stdout","time":"<time>"}`. Only a last piece ends in `\n`. */
export function dockerLog(output: string): Buffer {
  return lines(piecesOf(output), ({ bytes, isLast }) => {
    const log = bytes.toString('utf8') + (isLast ? '\n' : '')
    return [JSON.stringify({ log, stream: 'stdout', time: TIME }), '\n']
  })
}

/** The lines that were printed, by the rule of CRI: a partial one goes on in the next. */
export function readCriLog(log: Buffer): string[] {
  return rejoined(log, (line) => {
    const [, tag, text] = /^\S+ stdout ([PF]) (.*)$/.exec(line)!
    return { text: text!, isLast: tag === 'F' }
  })
}

/** The same by the rule of json-file. */
export function readDockerLog(log: Buffer): string[] {
  return rejoined(log, (line) => {
    const { log: said } = JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as { log: string }
    const text = Buffer.from(said).toString('latin1')
    return { text: text.replace(/\n$/, ''), isLast: text.endsWith('\n') }
  })
}

/** Bytes: a runtime splits inside of a character as well. */
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

/** Text of one character per byte, until a line is whole. */
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
