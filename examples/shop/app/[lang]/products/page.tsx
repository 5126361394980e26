import { Form, Link, type Metadata, type PageProps } from 'waymark'
import { z } from 'zod'
import { glazes, kinds, orders, searchProducts } from '../../../catalogue.ts'
import { dictionaryOf } from '../../../dictionaries/dictionary.ts'
import { fill } from '../../../dictionaries/format.ts'
import { readLanguage } from '../../../languages.ts'
import { Choice } from '../../../ui/fields.tsx'
import { ProductGrid } from '../../../ui/productGrid.tsx'

type Props = PageProps<'/[lang]/products'>

/**
 * Search and filters from the query string. Empty and wrong values are ignored, so that old links still
 * work.
 */
export const searchParams = z.object({
  q: z.string().trim().max(60).catch(''),
  kind: z.enum(kinds).optional().catch(undefined),
  glaze: z.enum(glazes).optional().catch(undefined),
  sort: z.enum(orders).catch('ours'),
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: dictionaryOf(await readLanguage(params)).list.title }
}

export default async function Products(props: Props) {
  const lang = await readLanguage(props.params)
  const search = await props.searchParams
  const { list, kinds: kindNames, glazes: glazeNames } = dictionaryOf(lang)
  const results = searchProducts(search, lang)
  return (
    <>
      <h1>{list.title}</h1>
      <Form action={`/${lang}/products`} className="filters" role="search">
        <label className="field wide">
          {list.search}
          <input
            key={search.q}
            name="q"
            type="search"
            maxLength={60}
            defaultValue={search.q}
            data-waymark-volatile
          />
        </label>
        <Choice
          name="kind"
          label={list.kind}
          all={list.any}
          value={search.kind}
          names={kindNames}
        />
        <Choice
          name="glaze"
          label={list.glaze}
          all={list.any}
          value={search.glaze}
          names={glazeNames}
        />
        <Choice name="sort" label={list.sort} value={search.sort} names={list.sorts} />
        <button type="submit" className="button">
          {list.apply}
        </button>
      </Form>
      <p className="result" role="status">
        {results.length === 1 ? list.one : fill(list.many, { count: results.length })}
      </p>
      {results.length > 0 ? (
        <ProductGrid products={results} lang={lang} />
      ) : (
        <p className="empty">
          {list.none} <Link href={`/${lang}/products`}>{list.reset}</Link>
        </p>
      )}
    </>
  )
}
