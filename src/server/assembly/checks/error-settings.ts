import { errorSettingFaults } from '../../../core/errors/error-settings.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'

/** Checks that exception mappers can be called, and that the exception map lists classes and statuses. */
export const errorSettings: BuildRule = ({ settings: { mappers, exceptionMap } }) =>
  errorSettingFaults({ mappers, exceptionMap }).map(({ member, problem, remedy }) =>
    settingFault(member, problem, remedy),
  )
