// Sets properties on prototypes, as another library might.
const prototypes = {
  object: Object.prototype,
  array: Array.prototype,
  function: Function.prototype,
  error: Error.prototype,
  string: String.prototype,
}

const evil = {
  evil() {
    return 'evil'
  },
}.evil

/** The values of enumerable, writable properties. */
const values = {
  text: 'evil',
  flag: true,
  number: 2,
  // EAGAIN of Linux, as the bindings of Node report it.
  systemError: -11,
  function: evil,
  object: { evil: 'evil' },
}

/** Sets all keys on a prototype. Returns a function that removes them. */
export function pollute(on, kind, keys) {
  const prototype = prototypes[on]
  const added = keys.filter((key) => !Object.hasOwn(prototype, key))
  // Create the descriptors first, because they would inherit from a polluted prototype.
  const descriptors = added.map((key) => descriptor(kind, key))
  for (const [index, key] of added.entries()) Object.defineProperty(prototype, key, descriptors[index])
  return () => {
    for (const key of added) delete prototype[key]
  }
}

function descriptor(kind, key) {
  const base = { __proto__: null, configurable: true, enumerable: true }
  if (kind === 'hidden') return { ...base, __proto__: null, enumerable: false, writable: true, value: evil }
  if (kind !== 'throwing') return { ...base, __proto__: null, writable: true, value: values[kind] }
  return {
    ...base,
    __proto__: null,
    get() {
      throw new Error(`${key} of a prototype was read`)
    },
    set: assigned(key),
  }
}

/** Returns a setter that defines an own property. */
function assigned(key) {
  return function (value) {
    Object.defineProperty(this, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true })
  }
}

/**
 * Sets accessors on Object.prototype that record each read and assignment from a file for which `isOurs` returns true. Returns a
 * function that removes them and returns the recorded notes.
 */
export function watch(keys, isOurs) {
  const notes = new Set()
  let isNoting = false
  const note = (what, key) => {
    if (isNoting) return
    isNoting = true
    const place = placeOf(note)
    if (place !== undefined && isOurs(place)) notes.add(`${key} ${what} ${place}`)
    isNoting = false
  }
  const prototype = prototypes.object
  const added = keys.filter((key) => !Object.hasOwn(prototype, key))
  const accessors = added.map((key) => {
    const set = assigned(key)
    return {
      __proto__: null,
      configurable: true,
      enumerable: false,
      get: () => note('is read at', key),
      set(value) {
        note('is assigned at', key)
        if (Object(this) === this) set.call(this, value)
      },
    }
  })
  for (const [index, key] of added.entries()) Object.defineProperty(prototype, key, accessors[index])
  return () => {
    for (const key of added) delete prototype[key]
    return [...notes]
  }
}

/** Returns the stack frame that reads a property. Built-in functions are skipped, because they read for their caller. */
function placeOf(above) {
  const { stackTraceLimit, prepareStackTrace } = Error
  Error.stackTraceLimit = 6
  Error.prepareStackTrace = undefined
  const trace = { __proto__: null, stack: '' }
  Error.captureStackTrace(trace, above)
  const [, , ...frames] = trace.stack.split('\n')
  Error.stackTraceLimit = stackTraceLimit
  Error.prepareStackTrace = prepareStackTrace
  return frames.find((frame) => !frame.endsWith('<anonymous>)') && !frame.endsWith('(native)'))?.trim()
}
