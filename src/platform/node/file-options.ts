import { ownCopy } from '../../options/own-members.ts'

// Options of Node's file functions, without a prototype: an `encoding` or `signal` on Object.prototype would be read as an option.

/** Returns undefined in place of an error if there is no such file. */
export const orNothing: { readonly throwIfNoEntry: false } = ownCopy({ throwIfNoEntry: false, bigint: false })

/** Returns the bytes of a file as text, one character each. */
export const asLatin1: { readonly encoding: 'latin1' } = ownCopy({ encoding: 'latin1', flag: 'r' })
