import { withoutPrototype } from '../../options/own-members.ts'

// Options of Node's file functions, without a prototype: an `encoding` or `signal` on Object.prototype would be read as an
// option.

/** Makes a call return undefined instead of throwing if the file does not exist. */
export const ifExists: { readonly throwIfNoEntry: false } = withoutPrototype({ throwIfNoEntry: false, bigint: false })

/** Makes a call return the bytes of a file as text, one character each. */
export const asLatin1: { readonly encoding: 'latin1' } = withoutPrototype({ encoding: 'latin1', flag: 'r' })
