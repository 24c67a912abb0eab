import { format } from 'oxfmt'

const options = { semi: false, singleQuote: true, printWidth: 88 } as const

/**
 * Returns a declaration of a module as source text that fits on a page.
 *
 * @param hasMembers - whether the source ends where the members of a class, an interface or a namespace would begin
 */
export async function formattedDeclaration(source: string, hasMembers: boolean): Promise<string> {
  const complete = hasMembers ? `${source} {}` : source
  const text = await formatted(complete.replace(/^(?!export )/, 'export declare const '))
  const declaration = text.replace(/^export (?:default )?(?:declare )?/, '')
  return hasMembers ? declaration.replace(/ \{\}$/, '') : declaration
}

/** Returns a member of a class or an interface as source text that fits on a page. */
export async function formattedMember(source: string): Promise<string> {
  // A class has the members of interfaces too, except signatures of calls.
  const isSignature = /^(?:new\s*)?[(<]/.test(source)
  const text = await formatted(`${isSignature ? 'interface' : 'declare class'} Members {\n${source}\n}`)
  return text
    .split('\n')
    .slice(1, -1)
    .map((line) => line.replace(/^ {2}/, ''))
    .join('\n')
}

/** Returns a program in the format of this repository, in lines that are short enough for a page. */
export async function formatted(source: string): Promise<string> {
  const { code, errors } = await format('declaration.ts', source, options)
  if (errors.length > 0) throw new Error(`${errors[0]!.message}: ${source}`)
  return code.trim()
}
