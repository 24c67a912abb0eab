import { useState } from 'preact/hooks'
import type { ExceptionInfo } from './exception.ts'
import { shownInBlock, shownInLine } from './shown-text.ts'

/** An exception with its stack. Frames of dependencies and of the runtime are collapsed. */
export function StackTrace({ type, message, stack }: ExceptionInfo) {
  return (
    <section class="exception">
      <h2>
        {type === '' ? 'Error' : shownInLine(type)}
        {message !== '' && <span>: {shownInBlock(message)}</span>}
      </h2>
      {groupsOf(stack).map((group) => (
        <Frames {...group} key={group.start} />
      ))}
    </section>
  )
}

interface FrameGroup {
  readonly start: number
  readonly isForeign: boolean
  readonly lines: readonly string[]
}

function Frames({ isForeign, lines }: FrameGroup) {
  const [isOpen, setOpen] = useState(false)
  if (isForeign && !isOpen && lines.length > 1) {
    return (
      <button class="frames" onClick={() => setOpen(true)}>
        {lines.length} frames of dependencies
      </button>
    )
  }
  return <pre class={isForeign ? 'foreign' : ''}>{shownInBlock(lines.join('\n'))}</pre>
}

/** Returns consecutive lines of a stack that are frames of dependencies, or are not. */
function groupsOf(stack: string): FrameGroup[] {
  const groups: { start: number; isForeign: boolean; lines: string[] }[] = []
  for (const [start, line] of stack.split('\n').entries()) {
    // The first line is the type and the message, which are shown above.
    if (start === 0 && !/^\s*at /.test(line)) continue
    const isForeign = /^\s*at .*(?:node:|node_modules[\\/]|<anonymous>\)?$)/.test(line)
    const last = groups.at(-1)
    if (last === undefined || last.isForeign !== isForeign) groups.push({ start, isForeign, lines: [line] })
    else last.lines.push(line)
  }
  return groups
}
