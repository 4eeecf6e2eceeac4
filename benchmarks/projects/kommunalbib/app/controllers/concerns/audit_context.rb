# Tells the database who is at work: the triggers of the archive read it.
module AuditContext
  extend ActiveSupport::Concern

  included do
    before_action :set_audit_context
  end

  private

  def set_audit_context
    conn = ActiveRecord::Base.connection
    conn.execute("SELECT set_config('library.user_id', #{conn.quote(current_user&.id.to_s)}, false)")
    conn.execute("SELECT set_config('library-app.request_id', #{conn.quote(request.request_id)}, false)")
    conn.execute("SET application_name = 'library-app'")
  end
end
