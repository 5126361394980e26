import { Link, type PageProps } from 'waymark'
import { findProduct } from '../../catalogue.ts'
import { dictionaryOf } from '../../dictionaries/dictionary.ts'
import { readLanguage } from '../../languages.ts'
import { ProductGrid } from '../../ui/productGrid.tsx'
import { Vessel } from '../../ui/vessel.tsx'

/** Render this page in the build, except for the number in the cart. */
export const dynamic = 'partial'

const chosen = ['morning-cup', 'soup-bowl', 'bottle-vase', 'water-jug']

export default async function Home({ params }: PageProps<'/[lang]'>) {
  const lang = await readLanguage(params)
  const { home } = dictionaryOf(lang)
  const products = chosen.map(findProduct).filter((product) => product !== undefined)
  const star = findProduct('moon-vase')
  return (
    <>
      <section className="hero">
        <div>
          <h1>{home.title}</h1>
          <p className="lead">{home.text}</p>
          <Link className="button" href={`/${lang}/products`}>
            {home.all}
          </Link>
        </div>
        <div className="stage ash">{star && <Vessel product={star} />}</div>
      </section>
      <h2>{home.chosen}</h2>
      <ProductGrid products={products} lang={lang} />
    </>
  )
}
