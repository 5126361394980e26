// A shop with the interface of Shopify's storefront API: three products, two pages and one cart.

const money = (/** @type {number} */ amount) => ({
  amount: amount.toFixed(1),
  currencyCode: 'USD',
})
const connection = (/** @type {readonly unknown[]} */ nodes) => ({
  edges: nodes.map((node) => ({ node })),
})
const updatedAt = '2026-01-01T00:00:00Z'
const seo = { title: '', description: '' }

const products = [
  createProduct('Cup', 15),
  createProduct('Shirt', 25, ['S', 'M']),
  createProduct('Bag', 35),
]
const collections = [
  { handle: 'kitchen', title: 'Kitchen', description: 'For cooks', seo, updatedAt },
]
const page = { id: 'about', title: 'About', handle: 'about', body: '<p>We sell.</p>' }
const pages = [{ ...page, bodySummary: 'We sell.', seo, createdAt: updatedAt, updatedAt }]

/** @param {string} title @param {number} price @param {readonly string[]} [sizes] */
function createProduct(title, price, sizes = []) {
  const handle = title.toLowerCase()
  const url = `https://cdn.shopify.com/s/files/${handle}.png`
  const image = { url, altText: title, width: 600, height: 600 }
  const [name, values] = sizes.length > 0 ? ['Size', sizes] : ['Title', ['Default Title']]
  const variants = values.map((value) => ({
    id: `${handle}-${value}`,
    title: value,
    availableForSale: true,
    selectedOptions: [{ name, value }],
    price: money(price),
  }))
  return {
    id: handle,
    handle,
    title,
    description: `A ${handle}`,
    descriptionHtml: `<p>A ${handle}</p>`,
    availableForSale: true,
    options: [{ id: name, name, values }],
    priceRange: { maxVariantPrice: money(price), minVariantPrice: money(price) },
    variants: connection(variants),
    featuredImage: image,
    images: connection([image]),
    seo,
    tags: [],
    updatedAt,
  }
}

/**
 * @typedef {{ handle?: string, query?: string, lineIds?: string[],
 *   lines?: { id?: string, merchandiseId: string, quantity: number }[] }} Variables
 */

/** @returns {(body: any) => unknown} the response of the API to a query */
export function createShop() {
  /** @type {Map<string, number>} quantities by the ids of variants */
  const quantities = new Map()
  return ({ query, variables = {} }) => {
    change(quantities, query, variables)
    const cart = cartOf(quantities)
    const changed = { cart }
    const matches = products.filter(({ title }) => !variables.query || title === variables.query)
    const list = connection(products)
    return {
      data: {
        cart,
        cartCreate: changed,
        cartLinesAdd: changed,
        cartLinesRemove: changed,
        cartLinesUpdate: changed,
        collection: { ...collections[0], products: list },
        collections: connection(collections),
        menu: {
          items: [
            { title: 'All', url: '/search' },
            { title: 'About', url: '/pages/about' },
          ],
        },
        pageByHandle: pages.find(({ handle }) => handle === variables.handle) ?? null,
        pages: connection(pages),
        product: products.find(({ handle }) => handle === variables.handle) ?? null,
        productRecommendations: products.slice(0, 2),
        products: connection(matches),
      },
    }
  }
}

/** @param {Map<string, number>} quantities @param {string} query @param {Variables} variables */
function change(quantities, query, { lines = [], lineIds = [] }) {
  for (const id of lineIds) quantities.delete(id)
  for (const { merchandiseId, quantity } of lines) {
    const before = query.includes('cartLinesAdd') ? (quantities.get(merchandiseId) ?? 0) : 0
    quantities.set(merchandiseId, before + quantity)
  }
}

/** @param {Map<string, number>} quantities */
function cartOf(quantities) {
  const lines = [...quantities].map(([id, quantity]) => {
    const product = products.find(({ handle }) => id.startsWith(`${handle}-`))
    const variant = product?.variants.edges.map(({ node }) => /** @type {any} */ (node))
    const merchandise = { ...variant?.find((each) => each.id === id), product }
    const amount = Number(product?.priceRange.maxVariantPrice.amount) * quantity
    return { id, quantity, amount, cost: { totalAmount: money(amount) }, merchandise }
  })
  const total = money(lines.reduce((sum, { amount }) => sum + amount, 0))
  return {
    id: 'cart',
    checkoutUrl: '/about',
    cost: { subtotalAmount: total, totalAmount: total, totalTaxAmount: money(0) },
    lines: connection(lines),
    totalQuantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
  }
}
