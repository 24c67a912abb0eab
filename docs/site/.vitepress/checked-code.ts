import { transformerTwoslash, type TwoslashRenderer } from '@shikijs/twoslash'
import { createTwoslasher, type CreateTwoslashOptions } from 'twoslash'
import ts from 'typescript'
import type { MarkdownOptions, MarkdownRenderer } from 'vitepress'
import { repository } from './source-files.ts'

type CodeTransformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

/** Types are attributes, which theme/type-tooltips.ts shows: elements for each of them would be most of a page. */
const renderer: TwoslashRenderer = {
  nodeStaticInfo: ({ text, docs }, node) => ({
    type: 'element',
    tagName: 'span',
    properties: { class: 'typed', 'data-type': docs === undefined ? text : `${text}\n\n${docs}` },
    children: [node],
  }),
}

const compilation: CreateTwoslashOptions = {
  vfsRoot: repository,
  compilerOptions: {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
  },
}

/** Compiles the blocks that `markCheckedCode` marks against the built types, and adds types. A block with an error fails the build. */
export const checkedCode = transformerTwoslash({
  explicitTrigger: true,
  renderer,
  twoslasher: createTwoslasher(compilation),
  twoslashOptions: compilation,
  // VitePress has the types of an older version of the highlighter.
}) as unknown as CodeTransformer

/**
 * Marks the `ts` blocks that are compiled: all, except those with the word `unchecked` after their language. A program that neither imports
 * this package, bunyan or bole nor declares `log` gets an import that is not shown, as in the tests.
 */
export function markCheckedCode(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('checked-code', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== 'fence') continue
      const [language, ...words] = token.info.trim().split(' ')
      if (language !== 'ts' || words.includes('unchecked')) continue
      token.info += ' twoslash'
      if (!/from '(?:sluice|bunyan|bole)|^const log\b/m.test(token.content))
        token.content = `import { logger as log } from 'sluice'\n// ---cut---\n${token.content}`
    }
  })
}
