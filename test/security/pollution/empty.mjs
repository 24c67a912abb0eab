// Loaded by the control, which looks whether Node can load a module at all.
export const isLoaded = true
