import { Link, type Metadata, type PageProps } from 'waymark'
import { z } from 'zod'
import { dictionaryOf } from '../../../dictionaries/dictionary.ts'
import { readLanguage } from '../../../languages.ts'
import { AccountForm } from '../_account/accountForm.tsx'

type Props = PageProps<'/[lang]/login'>

export const searchParams = z.object({ next: z.string().max(500).optional().catch(undefined) })

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: dictionaryOf(await readLanguage(params)).account.signIn }
}

export default async function Login(props: Props) {
  const lang = await readLanguage(props.params)
  const { next = `/${lang}/account` } = await props.searchParams
  const { account, errors } = dictionaryOf(lang)
  return (
    <div className="narrow">
      <h1>{account.signIn}</h1>
      <AccountForm kind="signIn" next={next} texts={account} errors={errors} />
      <p>
        {account.noAccount}{' '}
        <Link href={{ pathname: '/[lang]/join', params: { lang }, query: { next } }}>
          {account.join}
        </Link>
      </p>
    </div>
  )
}
