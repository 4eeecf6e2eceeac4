# The reporting role of the district office reads marks, but no personal settings.
class GrantReporting < ActiveRecord::Migration[6.1]
  def up
    execute <<~SQL
      GRANT SELECT (subject, rule) ON public.grading_rules TO district_reporting;
      GRANT SELECT, RULE ON public.scores TO district_reporting;
    SQL
  end

  def down
    execute "REVOKE ALL ON public.scores, public.grading_rules FROM district_reporting"
  end
end
