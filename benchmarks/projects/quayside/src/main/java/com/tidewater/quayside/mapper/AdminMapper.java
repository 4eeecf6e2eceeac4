package com.tidewater.quayside.mapper;

import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;

/** What the operations page shows. */
public interface AdminMapper {

    @Select("SELECT query, calls, round(total_time::numeric, 1) AS ms"
            + "  FROM pg_stat_statements"
            + " ORDER BY calls DESC"
            + " LIMIT 20")
    List<Map<String, Object>> slowStatements();

    @Select("SELECT query, calls, rows, shared_blks_hit, blk_read_time FROM pg_stat_statements ORDER BY rows DESC LIMIT 20")
    List<Map<String, Object>> largeStatements();

    @Select("SELECT conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint"
            + " WHERE conrelid = #{table}::regclass AND contype = 'c' ORDER BY conname")
    List<Map<String, Object>> checks(@Param("table") String table);

    @Select("SELECT a.attname, pg_get_expr(d.adbin, d.adrelid) AS standard"
            + "  FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum"
            + " WHERE a.attrelid = #{table}::regclass ORDER BY a.attnum")
    List<Map<String, Object>> defaults(@Param("table") String table);

    @Select("SELECT pid, state, wait_event_type, query FROM pg_stat_activity WHERE wait_event IS NOT NULL")
    List<Map<String, Object>> waiting();

    @Select("SELECT oid, relname FROM pg_class WHERE relkind = 'r' AND relname = 'stay'")
    Map<String, Object> stayTable();

    @Select("SELECT set_config('quayside.tenant', #{tenant}, true)")
    String tenant(@Param("tenant") String tenant);
}
