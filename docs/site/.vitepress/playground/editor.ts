import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { javascript } from '@codemirror/legacy-modes/mode/javascript'
import { setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { classHighlighter, tags } from '@lezer/highlight'
import type { ErrorEntry } from './messages.ts'

export interface EditorOptions {
  readonly text: string
  /** The id of the element that describes how the keyboard leaves the editor. */
  readonly descriptionId: string
  onChange(text: string): void
  onRun(): void
}

/** An editor of a program. */
export interface ProgramEditor {
  setText(text: string): void
  /** Underlines the errors. */
  showErrors(errors: readonly ErrorEntry[]): void
  /** Moves the focus to a line. */
  goTo(line: number, column: number): void
  destroy(): void
}

/** Creates an editor in an element. */
export function createEditor(parent: Element, { text, descriptionId, onChange, onRun }: EditorOptions): ProgramEditor {
  const run = () => {
    onRun()
    return true
  }
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        // The mode without a syntax tree is 35 kB smaller.
        StreamLanguage.define({ ...javascript, tokenTable: { property: tags.propertyName } }),
        syntaxHighlighting(classHighlighter),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'Program', 'aria-describedby': descriptionId }),
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
        keymap.of([{ key: 'Mod-Enter', run }, ...defaultKeymap, ...historyKeymap, indentWithTab]),
      ],
    }),
  })

  function positionOf(line: number, column: number): number {
    const { doc } = view.state
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines))
    return Math.min(from + column - 1, to)
  }

  return {
    setText: (newText) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: newText } }),
    showErrors(errors) {
      const diagnostics = errors.flatMap(({ line, column, message }) => {
        if (line === undefined) return []
        const from = positionOf(line, column ?? 1)
        const to = view.state.wordAt(from)?.to ?? Math.min(from + 1, view.state.doc.length)
        return [{ from, to, severity: 'error' as const, message }]
      })
      view.dispatch(setDiagnostics(view.state, diagnostics))
    },
    goTo(line, column) {
      const position = positionOf(line, column)
      view.dispatch({ selection: { anchor: position }, scrollIntoView: true })
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}
