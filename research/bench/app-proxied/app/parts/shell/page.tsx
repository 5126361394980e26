export { PartsPage as default } from '../../../../pages/parts.tsx'

export const dynamic = 'partial'
