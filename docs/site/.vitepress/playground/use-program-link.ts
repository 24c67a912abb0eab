import { onBeforeUnmount, onMounted, ref, type Ref } from 'vue'
import { exampleOf, firstExample } from './examples.ts'
import { exampleProgram } from './example-programs.ts'
import { fragmentOf, isProgramFragment, maxFragmentLength, programOf } from './program-link.ts'

/** The program in the address of the page, and a message about the link. */
export interface ProgramLink {
  readonly linkMessage: Ref<string>
  /** Writes a program into the address. */
  save(code: string): Promise<void>
  /** Writes an example into the address. */
  saveExample(name: string): void
  /** Copies the address. */
  copy(code: string): Promise<void>
}

/** Reads the program from the address, at first and whenever its fragment changes to another program. */
export function useProgramLink(onProgram: (code: string, example: string | undefined) => void): ProgramLink {
  const linkMessage = ref('')

  async function read(): Promise<void> {
    const example = exampleOf(location.hash)
    linkMessage.value = ''
    try {
      const code = await programOf(location.hash)
      if (code !== undefined) return onProgram(code, undefined)
    } catch (error) {
      linkMessage.value = `${(error as Error).message} This is the first example.`
    }
    onProgram(exampleProgram(example ?? firstExample), example ?? firstExample)
  }

  async function save(code: string): Promise<boolean> {
    const fragment = await fragmentOf(code)
    const isShort = fragment.length <= maxFragmentLength
    if (isShort) setFragment(fragment)
    linkMessage.value = isShort ? '' : 'The program is too long for a link. The address has an earlier version.'
    return isShort
  }

  const readChange = () => {
    // Links to headings change the fragment too.
    if (isProgramFragment(location.hash)) void read()
  }
  onMounted(() => {
    addEventListener('hashchange', readChange)
    void read()
  })
  onBeforeUnmount(() => removeEventListener('hashchange', readChange))
  return {
    linkMessage,
    save: async (code) => void (await save(code)),
    saveExample: (name) => setFragment(`#example=${name}`),
    async copy(code) {
      if (!(await save(code))) return
      try {
        await navigator.clipboard.writeText(location.href)
        linkMessage.value = 'Link copied.'
      } catch {
        linkMessage.value = 'The browser does not allow copying. Copy the address of this page.'
      }
    },
  }
}

function setFragment(fragment: string): void {
  history.replaceState(history.state, '', fragment)
}
