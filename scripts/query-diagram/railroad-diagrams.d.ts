// The package has no types of its own.
declare module 'railroad-diagrams' {
  export interface Item {
    readonly width: number
    readonly up: number
    readonly down: number
  }
  export interface Picture extends Item {
    readonly attrs: { readonly width: number; readonly height: number }
    format(padding: number): Picture
    toString(): string
  }
  const diagrams: {
    Diagram(...items: Item[]): Picture
    Sequence(...items: Item[]): Item
    Choice(normal: number, ...items: Item[]): Item
    Optional(item: Item): Item
    OneOrMore(item: Item, separator?: Item): Item
    ZeroOrMore(item: Item): Item
    Terminal(text: string): Item
    NonTerminal(text: string): Item
  }
  export default diagrams
}
