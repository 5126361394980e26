import { greeting } from '../../../shared/greeting.ts'

export const load = () => ({ greeting })
