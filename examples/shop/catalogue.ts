import type { Language } from './languages.ts'

export const kinds = ['cup', 'bowl', 'plate', 'jug', 'vase'] as const
export type Kind = (typeof kinds)[number]

export const glazes = ['chalk', 'ash', 'celadon', 'cobalt', 'iron'] as const
export type Glaze = (typeof glazes)[number]

export type Product = {
  /** Name of the product in URLs, and its key in the database. */
  readonly slug: string
  readonly kind: Kind
  readonly glaze: Glaze
  readonly priceCents: number
  readonly size: string
  readonly name: Readonly<Record<Language, string>>
  readonly text: Readonly<Record<Language, string>>
}

export const products: readonly Product[] = [
  {
    slug: 'morning-cup',
    kind: 'cup',
    glaze: 'chalk',
    priceCents: 2800,
    size: '⌀ 8.5 × 8 cm',
    name: { en: 'Morning cup', de: 'Morgentasse' },
    text: {
      en: 'Wide enough for milk foam, with a rim thin enough to forget. The foot is left bare.',
      de: 'Weit genug für Milchschaum, der Rand so dünn, dass man ihn vergisst. Der Fuß bleibt roh.',
    },
  },
  {
    slug: 'tall-mug',
    kind: 'cup',
    glaze: 'cobalt',
    priceCents: 3200,
    size: '⌀ 8 × 11 cm',
    name: { en: 'Tall mug', de: 'Hoher Becher' },
    text: {
      en: 'Keeps a long tea warm. The handle takes three fingers, and a glove in winter.',
      de: 'Hält einen langen Tee warm. Der Henkel fasst drei Finger, im Winter auch den Handschuh.',
    },
  },
  {
    slug: 'little-cup',
    kind: 'cup',
    glaze: 'iron',
    priceCents: 2200,
    size: '⌀ 6 × 6 cm',
    name: { en: 'Little cup', de: 'Kleine Tasse' },
    text: {
      en: 'For espresso, or an egg, or the first snowdrops.',
      de: 'Für Espresso, ein Ei oder die ersten Schneeglöckchen.',
    },
  },
  {
    slug: 'soup-bowl',
    kind: 'bowl',
    glaze: 'ash',
    priceCents: 3400,
    size: '⌀ 16 × 7 cm',
    name: { en: 'Soup bowl', de: 'Suppenschale' },
    text: {
      en: 'Deep, and heavy at the foot, so that it stands where you put it.',
      de: 'Tief und am Fuß schwer: Sie steht, wo man sie hinstellt.',
    },
  },
  {
    slug: 'rice-bowl',
    kind: 'bowl',
    glaze: 'celadon',
    priceCents: 2600,
    size: '⌀ 12 × 6 cm',
    name: { en: 'Rice bowl', de: 'Reisschale' },
    text: {
      en: 'Fits one hand. The glaze gathers into a darker ring above the foot.',
      de: 'Passt in eine Hand. Über dem Fuß sammelt sich die Glasur zu einem dunkleren Ring.',
    },
  },
  {
    slug: 'salad-bowl',
    kind: 'bowl',
    glaze: 'chalk',
    priceCents: 6800,
    size: '⌀ 28 × 10 cm',
    name: { en: 'Salad bowl', de: 'Salatschüssel' },
    text: {
      en: 'For six people who like each other. Thrown in one piece, turned the day after.',
      de: 'Für sechs Menschen, die sich mögen. In einem Stück gedreht, am Tag danach abgedreht.',
    },
  },
  {
    slug: 'dinner-plate',
    kind: 'plate',
    glaze: 'ash',
    priceCents: 3800,
    size: '⌀ 27 cm',
    name: { en: 'Dinner plate', de: 'Großer Teller' },
    text: {
      en: 'Flat as far as it can be, with a low wall that keeps the sauce.',
      de: 'So flach wie möglich, mit einem niedrigen Rand, der die Soße hält.',
    },
  },
  {
    slug: 'side-plate',
    kind: 'plate',
    glaze: 'celadon',
    priceCents: 2600,
    size: '⌀ 19 cm',
    name: { en: 'Side plate', de: 'Kleiner Teller' },
    text: {
      en: 'Bread, cake, or the lid of a soup bowl.',
      de: 'Für Brot, für Kuchen, oder als Deckel der Suppenschale.',
    },
  },
  {
    slug: 'water-jug',
    kind: 'jug',
    glaze: 'cobalt',
    priceCents: 5800,
    size: '1.2 l',
    name: { en: 'Water jug', de: 'Wasserkrug' },
    text: {
      en: 'Pours without a drip; we try each one before it leaves.',
      de: 'Gießt, ohne zu tropfen; wir probieren jeden, bevor er geht.',
    },
  },
  {
    slug: 'milk-jug',
    kind: 'jug',
    glaze: 'chalk',
    priceCents: 3000,
    size: '0.3 l',
    name: { en: 'Milk jug', de: 'Milchkännchen' },
    text: {
      en: 'The smallest jug that still has a real handle.',
      de: 'Das kleinste Kännchen, das noch einen richtigen Henkel hat.',
    },
  },
  {
    slug: 'bottle-vase',
    kind: 'vase',
    glaze: 'iron',
    priceCents: 6400,
    size: '⌀ 11 × 24 cm',
    name: { en: 'Bottle vase', de: 'Flaschenvase' },
    text: {
      en: 'One branch is enough. The iron breaks to honey where the glaze is thin.',
      de: 'Ein Zweig genügt. Wo die Glasur dünn ist, bricht das Eisen in Honig.',
    },
  },
  {
    slug: 'moon-vase',
    kind: 'vase',
    glaze: 'ash',
    priceCents: 9600,
    size: '⌀ 22 × 21 cm',
    name: { en: 'Moon vase', de: 'Mondvase' },
    text: {
      en: 'Two bowls, joined at the rim while they were soft. No two are quite round.',
      de: 'Zwei Schalen, weich am Rand verbunden. Keine ist ganz rund.',
    },
  },
]

/** Sort orders for a list of products. */
export const orders = ['ours', 'price', 'name'] as const

/** Words and filters of a search. */
export type Search = {
  readonly q: string
  readonly kind?: Kind | undefined
  readonly glaze?: Glaze | undefined
  readonly sort: (typeof orders)[number]
}

export function findProduct(slug: string): Product | undefined {
  return products.find((product) => product.slug === slug)
}

/** Finds products that match all filters and contain all words, in their name or text. */
export function searchProducts({ q, kind, glaze, sort }: Search, language: Language): Product[] {
  const words = q.toLocaleLowerCase(language).split(/\s+/).filter(Boolean)
  const matches = products.filter((product) => {
    if (kind && product.kind !== kind) return false
    if (glaze && product.glaze !== glaze) return false
    const text = `${product.name[language]} ${product.text[language]}`.toLocaleLowerCase(language)
    return words.every((word) => text.includes(word))
  })
  switch (sort) {
    case 'ours':
      return matches
    case 'price':
      return matches.toSorted((a, b) => a.priceCents - b.priceCents)
    case 'name':
      return matches.toSorted((a, b) => a.name[language].localeCompare(b.name[language], language))
  }
}

/** Returns the total of some products at current prices, in cents. */
export function totalOf(lines: readonly { slug: string; quantity: number }[]): number {
  return lines.reduce((sum, { slug, quantity }) => sum + quantity * priceOf(slug), 0)
}

function priceOf(slug: string): number {
  return findProduct(slug)?.priceCents ?? 0
}
