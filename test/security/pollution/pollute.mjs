// What another library may put on a prototype, and how.
const prototypes = {
  object: Object.prototype,
  array: Array.prototype,
  function: Function.prototype,
}

const values = {
  text: 'evil',
  number: 2,
  // EAGAIN of Linux, as the bindings of Node report it.
  systemError: -11,
  flag: true,
  no: null,
  function: function evil() {
    return 'evil'
  },
  object: { evil: 'evil' },
}

/** Puts all keys on a prototype; returns what takes them off again. */
export function pollute(on, kind, keys) {
  const prototype = prototypes[on]
  const added = keys.filter((key) => !Object.hasOwn(prototype, key))
  // Taken before: a descriptor would inherit from what is being polluted.
  const descriptors = added.map((key) => descriptor(kind, key))
  for (const [index, key] of added.entries()) Object.defineProperty(prototype, key, descriptors[index])
  return () => {
    for (const key of added) delete prototype[key]
  }
}

function descriptor(kind, key) {
  const base = { __proto__: null, configurable: true }
  if (kind === 'hidden') return { ...base, __proto__: null, enumerable: false, writable: true, value: values.function }
  if (kind !== 'throwing') return { ...base, __proto__: null, enumerable: true, writable: true, value: values[kind] }
  return {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      throw new Error(`${key} of a prototype was read`)
    },
    // Assigned to an object, it becomes that object's own.
    set(value) {
      Object.defineProperty(this, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true })
    },
  }
}
