import { inject, test } from 'vitest'

test.skip(`tests on MariaDB: ${inject('withoutMariadb')}`)
